"""The models that can be asked for, and what their answers look like."""

from __future__ import annotations

from typing import Any

from app.answer_schema import answer_schema
from app.schemas.common import ModelView
from models.packages import Registry
from models.packages.manifest import FIELDS
from pipeline.answers.arithmetic.checks import Check, parse_checks
from pipeline.answers.e_invoices import fields as e_invoice
from pipeline.errors import InvalidOption, ModelPackageError
from pipeline.values.schema import FieldSpec, load_fields


class Catalogue:
    """The model packages of an installation, as its users see them."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def models(self) -> list[ModelView]:
        """Return the models that can be asked for; those with unreadable fields are left out."""
        name, _, version = self._registry.default.partition("@")
        shown = []
        for ref in self._registry.packages():
            try:
                specs = load_fields(ref.path / FIELDS)
            except InvalidOption:
                continue
            served = ref.version == version if version else ref.current
            fields = {spec.name: spec.kind.value for spec in specs}
            default = ref.name == name and served
            shown.append(ModelView.showing(ref, default=default, fields=fields))
        return shown

    def schema(self, model: str) -> dict[str, Any]:
        """Return the JSON Schema of a model's answers; raises UnknownModel, ModelPackageError."""
        if model in e_invoice.REFERENCES:
            return answer_schema(e_invoice.REFERENCE, e_invoice.FIELDS)
        return answer_schema(str(self._registry.resolve(model)), self.fields(model))

    def fields(self, model: str) -> list[FieldSpec]:
        """Return the fields of a model or of e-invoices; raises UnknownModel, ModelPackageError."""
        if model in e_invoice.REFERENCES:
            return list(e_invoice.FIELDS)
        ref = self._registry.resolve(model)
        try:
            return list(load_fields(ref.path / FIELDS))
        except InvalidOption as error:
            raise ModelPackageError(f"The model package {ref} is damaged or incomplete.") from error

    def checks(self, model: str) -> tuple[Check, ...]:
        """Return the checks of a model; raises UnknownModel, ModelPackageError."""
        fields = self.fields(model)
        path = self._registry.resolve(model).path / FIELDS
        return parse_checks(path.read_text(encoding="utf-8"), fields)
