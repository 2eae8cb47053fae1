"""What a mistake is, what a contract is, and the catalogue that holds both.

A contract describes one function that students write: the steps it is made of, how right steps become a right
function, and the probes that judge it. A mistake replaces one step (or several) by a wrong one. So one wrong
softmax is a wrong per-head attention and a wrong multi-head attention at once, and nobody writes it twice.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from mha.mistakes.probe import Fact, Probe

__all__ = ["Catalogue", "Contract", "Mistake", "Pointer"]

Function: TypeAlias = Callable[..., Any]
Steps: TypeAlias = Mapping[str, Function]


@dataclass(frozen=True)
class Pointer:
    """A place in the course: the lesson's file name without its ending, and the words of its heading."""

    lesson: str
    section: str


@dataclass(frozen=True, eq=False)
class Contract:
    """One function that students write.

    Attributes:
        name: the function's name.
        steps: the names of the steps that a mistake may replace here.
        assemble: builds the function from right steps with the given ones put in their place.
        load_probes: returns the inputs with their right results, smallest first.
        load_confirming: returns further inputs, tried only before a name is given: on them the named mistake must
            agree too. What is right on them need not be known.
        results: what the results are called, in order; one name where there is one result.
        arguments: what the arguments are called, in order.
        facts: what can be said of a function that makes no known mistake, see `mha.mistakes.probe.Fact`.
    """

    name: str
    steps: frozenset[str]
    assemble: Callable[[Steps], Function]
    load_probes: Callable[[], tuple[Probe, ...]]
    results: tuple[str, ...]
    arguments: tuple[str, ...]
    facts: tuple[Fact, ...] = ()
    load_confirming: Callable[[], tuple[Probe, ...]] = tuple


@dataclass(frozen=True, eq=False)
class Mistake:
    """A mistake that people make.

    Attributes:
        id: a name in snake_case, unique in its catalogue.
        title: one line, as a person would call it.
        message: one or two sentences to the student: what the function does, why it looks right, where it shows.
        contract: the name of the contract whose author makes this mistake.
        lesson: the lesson that helps, its file name without the ending.
        section: the heading in that lesson.
        steps: the wrong steps, by name.
        common: so frequent beside other mistakes that the matcher also looks for it together with them.
        local: seen for what it is only in a function of its own contract.
    """

    id: str
    title: str
    message: str
    contract: str
    lesson: str
    section: str
    steps: Steps
    catalogue: Catalogue = field(repr=False)
    common: bool = False
    local: bool = False

    @property
    def function(self) -> Function:
        """The wrong function, with the signature of its own contract."""
        function = self.for_contract(self.contract)
        assert function is not None, "Catalogue.add sees to it"
        return function

    def for_contract(self, name: str) -> Function | None:
        """Return the function of contract ``name`` that makes this mistake and no other, or None where it cannot."""
        contract = self.catalogue.contracts[name]
        if self.local and name != self.contract:
            return None
        return contract.assemble(self.steps) if set(self.steps) <= contract.steps else None

    def as_multi_head_attention(self) -> Function | None:
        """Return a ``multi_head_attention`` that makes this mistake and no other."""
        return self.for_contract("multi_head_attention")


class Catalogue:
    """Mistakes by id, in the order in which they were added, and the contracts that they break.

    Another assignment brings its own: ``Catalogue((Contract(...), ...))`` and one decorated function a mistake.
    """

    def __init__(self, contracts: tuple[Contract, ...]) -> None:
        self.contracts = {contract.name: contract for contract in contracts}
        self._mistakes: dict[str, Mistake] = {}

    def __iter__(self) -> Iterator[Mistake]:
        return iter(self._mistakes.values())

    def __len__(self) -> int:
        return len(self._mistakes)

    def __contains__(self, mistake_id: object) -> bool:
        return mistake_id in self._mistakes

    def __getitem__(self, mistake_id: str) -> Mistake:
        return self._mistakes[mistake_id]

    def mistake(
        self,
        contract: str,
        step: str,
        pointer: Pointer,
        *,
        common: bool = False,
        local: bool = False,
    ) -> Callable[[Function], Mistake]:
        """Add the decorated function as a mistake in one step.

        The function's name is the id; the first line of its docstring is the title, the rest the message.
        """

        def add(function: Function) -> Mistake:
            title, _, message = inspect.cleandoc(function.__doc__ or "").partition("\n")
            return self.add(
                function.__name__,
                title,
                message,
                contract,
                pointer,
                {step: function},
                common=common,
                local=local,
            )

        return add

    def add(
        self,
        mistake_id: str,
        title: str,
        message: str,
        contract: str,
        pointer: Pointer,
        steps: Steps,
        *,
        common: bool = False,
        local: bool = False,
    ) -> Mistake:
        """Add a mistake that is made in any number of steps.

        Raises:
            ValueError: if the id is taken, the text is missing, or the contract has no such step.
        """
        words = " ".join(message.split())
        if mistake_id in self._mistakes:
            raise ValueError(f"There is already a mistake called {mistake_id}.")
        if not title.strip() or not words:
            raise ValueError(f"{mistake_id} needs a title and, after an empty line, a message to the student.")
        if not set(steps) <= self.contracts[contract].steps:
            raise ValueError(f"{contract} has no step {sorted(set(steps) - self.contracts[contract].steps)}.")
        mistake = Mistake(
            mistake_id,
            title.strip().rstrip("."),
            words,
            contract,
            pointer.lesson,
            pointer.section,
            steps,
            self,
            common,
            local,
        )
        self._mistakes[mistake_id] = mistake
        return mistake
