"""Methods that both clients have: written once, step by step, and carried out or awaited."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from fieldwright_client.requests import Conversation

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Caller:
    """Carries out the steps of its methods before they return."""

    _run: Any


class Awaiter:
    """Carries out the steps of its methods while they are awaited."""

    _run: Any


class Call(Generic[_P, _T]):
    """A method made of its steps, which returns what the conversation does.

    That of an `Awaiter` is a coroutine function, for type checkers as for mocks of a client.
    """

    def __init__(self, steps: Callable[Concatenate[Any, _P], Conversation[_T]]) -> None:
        def method(self: Any, /, *args: _P.args, **options: _P.kwargs) -> Any:
            return self._run(steps(self, *args, **options))

        async def awaited(self: Any, /, *args: _P.args, **options: _P.kwargs) -> Any:
            return await self._run(steps(self, *args, **options))

        self._method, self._awaited = _shown_as(steps, method), _shown_as(steps, awaited)

    @overload
    def __get__(self, client: None, kind: type) -> Callable[..., Any]: ...
    @overload
    def __get__(self, client: Caller, kind: type) -> Callable[_P, _T]: ...
    @overload
    def __get__(self, client: Awaiter, kind: type) -> Callable[_P, Coroutine[Any, Any, _T]]: ...
    def __get__(self, client: Any, kind: type) -> Any:
        method = self._awaited if issubclass(kind, Awaiter) else self._method
        return method if client is None else method.__get__(client, kind)


call = Call


def _shown_as(steps: Callable[..., Any], method: Callable[..., Any]) -> Any:
    """Give a method the name, docstring and arguments of its steps, and what it returns itself."""
    returned = str(steps.__annotations__["return"]).removeprefix("Conversation[").removesuffix("]")
    shown: Any = wraps(steps)(method)
    shown.__annotations__ = {**steps.__annotations__, "return": returned}
    shown.__signature__ = inspect.signature(steps).replace(return_annotation=returned)
    return shown
