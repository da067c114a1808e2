"""Eight thousand mutants of all kinds of files: each is read, or refused with its reason. `mutants` makes more."""

import mutants
import pytest

COUNT = 8_000
#: Each part takes a few seconds, so that several processes can share them.
PARTS = 8


# Long: a thousand files; test_fuzz has fewer of each kind.
@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_every_mutant_is_read_or_refused(part):
    start = part * COUNT // PARTS
    outcomes = {}
    for mutant, _ in zip(mutants.mutants(seed=0, start=start), range(COUNT // PARTS), strict=False):
        try:
            outcomes.setdefault(mutant.kind, set()).add(mutant.outcome())
        except Exception as error:
            raise AssertionError(f"python tests/long/mutants.py {mutant}") from error
    # A generator that damages too much, or nothing, would find nothing either.
    assert set(outcomes) == set(mutants.KINDS)
    assert all("refused" in found or "UnreadableOrder" in found for found in outcomes.values())
    assert all("read" in found for kind, found in outcomes.items() if kind not in ("map", "mesh"))


def test_a_mutant_is_the_same_again():
    first, second = (list(zip(range(50), mutants.mutants(seed=7), strict=False)) for _ in range(2))
    assert first == second
    assert str(first[0][1]) == "--kind board --seed 7 --only 0"


@pytest.mark.parametrize("kind", mutants.KINDS)
def test_a_reader_that_stumbles_is_found(kind, monkeypatch):
    """The test above would see a reader fail: here is one that does."""

    def stumbles(dice):
        raise KeyError("odd")

    monkeypatch.setitem(mutants.KINDS, kind, stumbles)
    with pytest.raises(KeyError):
        mutants.Mutant(kind, 0, 0).outcome()
