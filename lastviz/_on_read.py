"""Fields of dataclasses that are worked out when they are read."""

from __future__ import annotations


class OnRead:
    """Field that may be given as a function, called once on the first read.

    It is written as the default of the field, which then has none.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object | None, owner: type) -> object:
        if instance is None:
            raise AttributeError(self._name)  # what dataclasses take for "no default"
        value = vars(instance)[self._name]
        if callable(value):
            value = vars(instance)[self._name] = value()
        return value

    def __set__(self, instance: object, value: object) -> None:
        vars(instance)[self._name] = value
