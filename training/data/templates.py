"""Groups documents by template: what two documents share in boiler-plate and in its places.

Two views of a document, each a bag of features weighted by how few documents have them (tf-idf,
Spärck Jones 1972) and compared by the cosine:

* layout: the words of its first page, those with digits aside, each with the cell of a coarse
  grid in which it begins, and with slack at the cell's edges. A form repeats its captions there.
* wording: runs of five words (shingles, Broder 1997) of the whole document. A contract repeats its
  clauses wherever the lines break.

Two documents are as alike as the more alike of the two views. Features of one document alone say
nothing about others and are left out, so that the contents (names, places, programmes) hardly
count. The documents are joined by average linkage (UPGMA, Sokal and Michener 1958): a chain of
pairs that are alike does not make one template of two, as single linkage would have it. Merging
stops below a similarity that was set by looking at pictures and samples of two data sets, on the
side of caution: the stations' variants of one form (at 0.25 groups of their own) are together, so
that none is in training while another validates; now and then so are two forms of one issuer.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor

import numpy as np
from numpy.typing import NDArray

from pipeline.document import Document
from pipeline.values.texts.strings import lenient

_ALIKE = 0.08  # mean similarity of two groups, 0 to 1, from which on they are one template
_COLUMNS, _ROWS = 12, 24  # cells of the grid; about a word wide and two lines high
_SLACK = 0.25  # of a cell, by which a word may stand elsewhere
_SHINGLE = 5
_MOST_COMMON = 0.9  # a feature of more documents than this share distinguishes nothing

Similarity = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Templates:
    """Documents grouped by template.

    Attributes:
        ids: the documents; those without words are groups of their own.
        similarity: (n, n) of the documents, 0 to 1, in the order of `ids`.
        groups: id -> name of its template, which is the id of one of its documents.
    """

    ids: tuple[str, ...]
    similarity: Similarity
    groups: dict[str, str]

    def clusters(self) -> list[list[str]]:
        """Return the ids of each template, the largest first, most typical documents first."""
        place = {name: index for index, name in enumerate(self.ids)}
        members: defaultdict[str, list[str]] = defaultdict(list)
        for name, group in self.groups.items():
            members[group].append(name)
        for names in members.values():
            inside = [place[name] for name in names]
            mean = self.similarity[np.ix_(inside, inside)].mean(axis=1)
            order = np.argsort(-mean, kind="stable")
            names[:] = [names[index] for index in order]
        return sorted(members.values(), key=lambda names: (-len(names), names[0]))


def group_by_template(documents: Mapping[str, Document]) -> Templates:
    """Return documents, given by id as they were read, grouped by template.

    Copies of one file are always together, and count as one document.
    """
    firsts: dict[str, str] = {}
    for name, document in documents.items():
        firsts.setdefault(document.sha256 or name, name)
    ids = tuple(firsts.values())
    bags = [(_layout(documents[name]), _wording(documents[name])) for name in ids]
    layout = _cosines([bag for bag, _ in bags])
    wording = _cosines([bag for _, bag in bags])
    similarity = np.maximum(layout, wording)
    leaders = average_linkage(similarity, _ALIKE)
    place = {file: index for index, file in enumerate(firsts)}
    places = [place[document.sha256 or name] for name, document in documents.items()]
    groups = {name: ids[leaders[at]] for name, at in zip(documents, places, strict=True)}
    return Templates(tuple(documents), similarity[np.ix_(places, places)], groups)


def average_linkage(similarity: Similarity, least: float) -> list[int]:
    """Return the group of each item, named by its first item: UPGMA down to a mean similarity.

    Args:
        similarity: (n, n), symmetric, 0 to 1.
        least: mean similarity below which nothing is merged.
    """
    from scipy.cluster.hierarchy import fcluster, linkage  # type: ignore[import-untyped]

    if len(similarity) < 2:
        return list(range(len(similarity)))
    apart = 1 - similarity[np.triu_indices(len(similarity), 1)].astype(np.float64)
    first: dict[int, int] = {}
    groups = fcluster(linkage(apart, "average"), 1 - least, "distance")
    return [first.setdefault(int(group), index) for index, group in enumerate(groups)]


def _layout(document: Document) -> set[str]:
    """Return the words of the first page that has any, each with the cells about its place."""
    page = next((page for page in document.pages if page.tokens), None)
    found: set[str] = set()
    for token in page.tokens if page else ():
        word = lenient(token.text)
        if len(word) < 2 or any(map(str.isdigit, word)):
            continue
        x, y = token.box.x0 * _COLUMNS, token.box.top * _ROWS
        # A print shifted by a little still shares one of the cells.
        found |= {
            f"{word} {column} {row}"
            for column in {floor(x - _SLACK), floor(x + _SLACK)}
            for row in {floor(y - _SLACK), floor(y + _SLACK)}
        }
    return found


def _wording(document: Document) -> set[str]:
    """Return the shingles of all pages, marks and words with digits left out."""
    words = [lenient(token.text) for _, token in document.words()]
    words = [word for word in words if word and not any(map(str.isdigit, word))]
    return {" ".join(words[i : i + _SHINGLE]) for i in range(len(words) - _SHINGLE + 1)}


def _cosines(bags: Sequence[set[str]]) -> Similarity:
    """Return the cosines of bags of features, weighted by rarity; 0 beside an empty one."""
    n = len(bags)
    frequency = Counter(feature for bag in bags for feature in bag)
    most = max(_MOST_COMMON * n, 2)
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for index, bag in enumerate(bags):
        for feature in bag:
            if 1 < frequency[feature] <= most:
                holders[feature].append(index)
    products = np.zeros((n, n), dtype=np.float64)
    for feature, indices in sorted(holders.items()):
        weight = np.log(n / frequency[feature]) + 1e-6
        products[np.ix_(indices, indices)] += weight * weight
    norms = np.sqrt(np.diagonal(products))
    norms = np.where(norms > 0, norms, 1.0)
    cosines = products / norms[:, None] / norms[None, :]
    np.fill_diagonal(cosines, 1.0)
    return cosines.astype(np.float32)
