"""Single statements on PostgreSQL, handed to its driver as they were put together once.

What SQLAlchemy does at each execution takes as long as the server does, and more where a process
that has just read or tagged a document comes back to it. A job is written to a handful of times,
by statements that never change: these go the short way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import psycopg
from sqlalchemy import Engine, Executable
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.compiler import SQLCompiler

_KEPT = 200  # statements; far more than there are

_Process = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class _Text:
    """A statement as the driver takes it.

    Attributes:
        sql: with named places.
        fixed: values that belong to the statement.
        processes: what makes of a value what the driver takes, where that is something else.
    """

    sql: str
    fixed: dict[str, Any]
    processes: dict[str, _Process]


class Steps:
    """Runs statements, each a transaction of its own.

    Args:
        engine: of PostgreSQL, whose connections commit by themselves.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._text = lru_cache(maxsize=_KEPT)(self._made)

    def first(self, statement: Executable, values: Mapping[str, Any]) -> tuple[Any, ...] | None:
        """Return the first row of a statement, which is made once for all its executions.

        Raises:
            psycopg.Error, sqlalchemy.exc.TimeoutError: the server does not answer, or refuses.
        """
        text = self._text(statement, tuple(values))
        given = {**text.fixed, **values}
        for name, process in text.processes.items():
            given[name] = process(given[name])
        pooled = self._engine.raw_connection()
        driver: psycopg.Connection[tuple[Any, ...]] = pooled.driver_connection  # type: ignore[assignment]
        try:
            return driver.execute(text.sql, given).fetchone()
        except psycopg.Error:
            if driver.closed:  # so will be the others
                self._engine.dispose()
            raise
        finally:
            pooled.close()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _made(self, statement: Executable, names: tuple[str, ...]) -> _Text:
        assert isinstance(statement, ClauseElement)
        dialect = self._engine.dialect
        compiled = statement.compile(dialect=dialect, column_keys=list(names))
        assert isinstance(compiled, SQLCompiler)
        processes: dict[str, _Process] = {}
        for name, bind in compiled.binds.items():
            process = bind.type.dialect_impl(dialect).bind_processor(dialect)
            if process is not None:
                processes[name] = process
        fixed = {name: value for name, value in compiled.params.items() if name not in names}
        return _Text(compiled.string, fixed, processes)
