"""The neural taggers: words and boxes in, labelled spans out. Knows no PDF."""
