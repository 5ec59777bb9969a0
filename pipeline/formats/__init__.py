"""An answer in other shapes: lines of JSON and CSV, workbooks, EN 16931 CII, Azure's invoice."""
