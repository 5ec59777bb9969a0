"""How a document looks: the style sheet of its layout."""

from __future__ import annotations

from training.invent.invoices.printing.pen import Pen

_NUMERIC = (
    *("quantity", "price", "discount", "rate", "amount", "counted", "taxed", "gross"),
    *("ordered", "open", "weight"),
)


def style(pen: Pen) -> str:
    """Return the style sheet of a document's layout."""
    layout = pen.layout
    counter = pen.rng.choice(pen.invoice.words.captions["page"])
    content = (
        '"'
        + counter.replace("{page}", '" counter(page) "').replace("{pages}", '" counter(pages) "')
        + '"'
    )
    side = {"left": "left", "right": "right", "centre": "center"}[layout.title_side]
    head = {
        "plain": "font-weight: bold;",
        "filled": f"background: {layout.colour}; color: white;",
        "capitals": "text-transform: uppercase; font-size: 0.85em;",
    }[layout.head]
    rules = {
        "none": "",
        "rows": ".items td { border-bottom: 0.5pt solid #999; }",
        "grid": ".items td, .items th { border: 0.5pt solid #444; }",
        "head": f".items th {{ border-bottom: 1.2pt solid {layout.colour}; }}",
        "zebra": ".items tbody tr:nth-child(even) td { background: #eee; }",
    }[layout.rulings]
    width = f".description {{ width: {layout.narrow}%; }}" if layout.narrow else ""
    spaced = "th, .cap, .meta td:first-child, .boxes .detail { letter-spacing: 0.13em; }\n"
    tracked = spaced if layout.tracked else ""
    numeric = ", ".join(f".{column}" for column in _NUMERIC)
    return f"""
@page {{ size: {layout.paper}; margin: {layout.margin}mm {layout.margin}mm {layout.margin + 14}mm;
  @bottom-right {{ content: {content}; font: 7pt "{layout.font}"; vertical-align: bottom;
    padding-bottom: 2mm; }} }}
body {{ font: {layout.size}pt "{layout.font}"; line-height: 1.35; margin: 0; }}
a {{ color: inherit; text-decoration: none; }}
h1 {{ font-size: {layout.size * 1.6:.1f}pt; margin: 14pt 0 8pt; text-align: {side}; clear: both; }}
p {{ clear: both; margin: 6pt 0; }}
table {{ border-collapse: collapse; }} td, th {{ vertical-align: top; padding: 2pt 4pt; }}
th {{ text-align: left; }} .wide {{ width: 100%; }}
.head {{ margin-bottom: 12pt; }} .head.right {{ text-align: right; }}
.head.centre {{ text-align: center; }}
.head.band {{ background: {layout.colour}; color: white; padding: 8pt; }}
.head .name {{ font-size: 1.4em; font-weight: bold; }} .logo {{ margin-right: 6pt; }}
.to {{ margin: 14pt 0; width: 55%; }} .to.right {{ margin-left: 55%; width: 45%; }}
.to.boxed {{ border: 0.7pt solid #555; padding: 5pt; }}
.sender {{ font-size: 0.7em; text-decoration: underline; margin-bottom: 4pt; }}
.side {{ font-size: 0.85em; text-align: left; margin-left: 40%; }} .beside {{ width: 48%; }}
.t-spread {{ width: 85%; }} .t-spread td:last-child {{ text-align: right; }}
.banner {{ font-size: 0.8em; color: #444; }}
.margin {{ position: fixed; left: -{layout.margin - 3}mm; top: 60%; font-size: 6pt;
  transform: rotate(-90deg); transform-origin: 0 0; white-space: nowrap; }}
.cap {{ font-weight: bold; color: {layout.colour}; }}
.meta.right {{ float: right; }} .meta td:last-child {{ padding-left: 10pt; }}
.meta.full {{ width: 100%; }}
{tracked}.strip th {{ font-size: 0.8em; }} .boxes td, .boxes th {{ border: 0.5pt solid #666; }}
.items {{ width: 100%; clear: both; margin: 8pt 0; }} thead {{ display: table-header-group; }}
.items th {{ {head} }} {rules} {width}
{numeric} {{ text-align: right; }} .items td {{ break-inside: avoid; }}
.detail {{ font-size: 0.85em; color: #333; }} .section td {{ font-weight: bold; padding-top: 6pt; }}
.carry td {{ font-style: italic; text-align: right; }} .sum td {{ text-align: right; }}
tr.total td {{ font-weight: bold; border-top: 0.8pt solid #222; }}
.totals {{ margin: 6pt 0; }} .t-block {{ margin-left: auto; min-width: 45%; }}
.t-wide {{ width: 100%; }}
.breakdown {{ margin: 8pt 0; font-size: 0.9em; }}
.breakdown td, .breakdown th {{ border: 0.4pt solid #888; }}
.slip {{ border-top: 0.7pt dashed #333; margin-top: 16pt; break-inside: avoid; }}
.foot {{ position: fixed; bottom: -{layout.margin + 6}mm; left: 0; right: 0; font-size: 0.75em;
  color: #222; }}
.stamp {{ position: fixed; top: 38%; left: 18%; font-size: 60pt; color: #c0392b; opacity: 0.22;
  transform: rotate(-24deg); }}
"""
