"""What says what kind of company a name is of: "Ltd.", "GmbH", "Sdn Bhd"."""

from __future__ import annotations

from pipeline.values.texts.strings import lenient
from pipeline.values.wordlists import words_of

SHORT_FORMS = {"INCORPORATED": "INC", "LIMITED": "LTD", "CORPORATION": "CORP", "COMPANY": "CO"}
"""What is written in full, and its short form."""

LEGAL_FORMS = words_of("""
    INC LTD CORP CO LLC LP LLP LLLP PLC PC PLLC NA ULC CIC CLG DAC PTE PTY SDN BHD BERHAD KK GMBH
    MBH AG KG OHG UG GBR KGAA PARTG SE SA SAS SASU SARL EURL EIRL SCI SCOP SNC SPRL SCRL ASBL NV BV
    BVBA CVBA VOF VZW AB AS ASA APS OY OYJ OÜ RL SIA UAB SPA SRL SRLS SAPA SL SLU SLP SLL CV LDA
    LTDA EIRELI EPP OO SPJ SPK SRO DOO KFT ZRT OOD EOOD
""").union(SHORT_FORMS)
"""Letters of each, as `lenient` gives them."""

_WRITTEN = frozenset({"e.U.", "e.K.", "e.G.", "eG", "mbB"})  # forms that are words in capitals


def is_legal_form(word: str) -> bool:
    """Return whether a word says what kind of company a name is of: "Ltd.", "GmbH"."""
    return lenient(word) in LEGAL_FORMS or word.rstrip(",;") in _WRITTEN
