"""Orders: text and object say the same, and what cannot be read is marked where it stands."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine.errors import UnreadableOrder
from simulator.engine.orders import (
    ActionForm,
    Arg,
    Element,
    Form,
    Goal,
    Order,
    Vocabulary,
    angle,
    exact_number,
    heading,
    length,
    measured_number,
    place,
    unit_id,
    whole_number,
    word,
)
from simulator.engine.reading import checked, example_order, read_order, write_order
from simulator.rulesets import shelf

WORDS = Vocabulary(
    actions=[
        ActionForm("run", elements=("forward", "left", "drift", "fire", "turn", "path"), goal=True),
        ActionForm("charge", [Arg("target", unit_id("an enemy"))], elements=("forward",), least=2),
        ActionForm("dodge", [Arg("level", word("normal", "good"), "", True), Arg("source", place(), "from")]),
        ActionForm("sprint", [Arg("dice", whole_number("a number of dice", 0), "with", True)]),
    ],
    elements=[
        Form("forward", [Arg("length", length())]),
        Form("left", [Arg("angle", angle())]),
        Form("drift", [Arg("by", measured_number("a drift", -10, 10))]),
        Form("fire", [Arg("targets", unit_id(), "at", many=True), Arg("weapon", word(), "with", True)]),
        Form("turn", [Arg("to", heading())]),
        Form("path", [Arg("squares", place("a square", whole=True), many=True)]),
    ],
    default="run",
)
UNITS = ("A1", "A2", "B1", "tank-7", "Ölberg")

NUMBERS = st.integers(0, 10**12) | st.fractions(0, 10**6) | st.decimals(0, 10**6, places=3).map(Fraction)
FLOATS = st.floats(-1e6, 1e6)
ELEMENTS = st.one_of(
    st.builds(lambda n: Element("forward", {"length": n}), NUMBERS),
    st.builds(lambda n: Element("left", {"angle": n}), st.fractions(0, 360)),
    st.builds(lambda n: Element("drift", {"by": n}), st.floats(-10, 10)),
    st.builds(lambda units: Element("fire", {"targets": units}), st.lists(st.sampled_from(UNITS), min_size=1)),
    st.builds(lambda u, w: Element("fire", {"targets": (u,), "weapon": w}), st.sampled_from(UNITS), st.just("laser")),
    st.builds(lambda h: Element("turn", {"to": h}), st.floats(0, 360, exclude_max=True)),
    st.builds(
        lambda ps: Element("path", {"squares": ps}), st.lists(st.tuples(*[st.integers(-99, 99)] * 2), min_size=1)
    ),
)
PLACES = st.tuples(FLOATS, FLOATS)
HEADINGS = st.none() | st.floats(0, 360, exclude_max=True)
ORDERS = st.one_of(
    st.builds(lambda u, e: Order(u, "run", e), st.sampled_from(UNITS), st.lists(ELEMENTS, max_size=5)),
    st.builds(
        lambda u, p, h, via: Order(u, "run", goal=Goal(p, h, via)),
        st.sampled_from(UNITS),
        PLACES,
        HEADINGS,
        st.lists(PLACES),
    ),
    st.builds(
        lambda t, p: Order("A1", "dodge", args={"source": p, **t}), st.sampled_from([{}, {"level": "good"}]), PLACES
    ),
    st.builds(lambda t: Order("A1", "sprint", args=t), st.sampled_from([{}, {"dice": 3}])),
)


class TestRoundTrip:
    @settings(deadline=None)
    @given(ORDERS)
    def test_every_order_comes_back_with_all_its_numbers(self, order):
        text = write_order(order, WORDS)
        back = read_order(text, WORDS, UNITS)
        assert back == order
        assert write_order(back, WORDS) == text
        assert Order.from_fields(back.to_fields()) == back

    @settings(deadline=None, max_examples=300)
    @given(st.text(max_size=40) | st.text(alphabet='A1 run:forwd,left45."°toviacng-/e\n\t', max_size=60))
    def test_garbled_text_is_an_order_or_says_why_not(self, text):
        try:
            order = read_order(text, WORDS, UNITS)
        except UnreadableOrder as error:
            fault = error
        else:
            assert read_order(write_order(order, WORDS), WORDS, UNITS) == order
            return
        assert 0 <= fault.at <= len(text)
        assert str(fault).startswith("expected ")

    @pytest.mark.parametrize(
        ("text", "written"),
        [
            ("A2 run: forward 4, left 45, forward 3", "A2: forward 4, left 45, forward 3"),
            ("A2: forward 4.50,left 22.5°", "A2: forward 4.5, left 22.5"),
            ('A2 run : forward 4 in , forward 2" , left 90 degrees', "A2: forward 4, forward 2, left 90"),
            ("A2 run: forward 10/4", "A2: forward 2.5"),
            ("A2 run: forward 1/3", "A2: forward 1/3"),
            ("A2 run: turn north-east, turn W, turn 450", "A2: turn 45, turn 180, turn 90"),
            (
                "A2 run: fire at B1 A1 with laser, fire with axe at B1",
                "A2: fire at B1 A1 with laser, fire at B1 with axe",
            ),
            ("A2 run to 12,8 facing 90 via 3,4 5.5,-6", "A2 run to 12,8 facing 90 via 3,4 5.5,-6"),
            ("A2 run to 12, 8 via 3 , 4 facing north", "A2 run to 12,8 facing 90 via 3,4"),
            ("A2 run: path 1,2 3,4", "A2: path 1,2 3,4"),
            ("A2 dodge Good from 3,4", "A2 dodge good from 3,4"),
            ("A2 charge B1: forward 1, forward 2", "A2 charge B1: forward 1, forward 2"),
            ("A2 run", "A2 run"),
            ("red done", "red done"),
            ("all begin", "all begin"),
        ],
    )
    def test_it_reads_like_the_rulebook(self, text, written):
        assert write_order(read_order(text, WORDS), WORDS) == written

    def test_exact_numbers_are_exact_and_measured_ones_are_floats(self):
        order = read_order("A1: forward 0.1, drift 0.1, forward 2", WORDS)
        first, second, third = order.elements
        assert (first["length"], second["by"], third["length"]) == (Fraction(1, 10), 0.1, 2)
        assert [type(n) for n in (first["length"], second["by"], third["length"])] == [Fraction, float, int]

    def test_an_order_built_by_hand_gets_its_numbers_in_their_form(self):
        order = Order("A1", "run", [Element("forward", {"length": 0.5}), Element("drift", {"by": 1})])
        assert checked(order, WORDS).elements == (
            Element("forward", {"length": Fraction(1, 2)}),
            Element("drift", {"by": 1.0}),
        )


FAULTS = [
    ("", "expected a unit, but the order ends here\n  \n  ^"),
    ("7 run", "expected a unit, found '7'\n  7 run\n  ^"),
    ("A1", "expected an action or a colon, but the order ends here"),
    ("A1 rum: forward 3", "expected an action or a colon, found 'rum'; did you mean 'run'?"),
    ("A9 run: forward 3", "expected a unit on the table, found 'A9'; known: A1, A2, B1, tank-7, Ölberg"),
    (
        "A1 run: forward north",
        "expected a length in inches, found 'north'\n  A1 run: forward north\n                  ^~~~~",
    ),
    ("A1 run: forwrd 3", "found 'forwrd'; did you mean 'forward'?\n"),
    ("A1 run: forward -3", "expected a length in inches, found '-3'; 0 or more"),
    ("A1 run: forward 3 4", "expected a comma or the end of the order, found '4'"),
    ("A1 run: forward 3,", "expected forward, left, drift, fire, turn or path, but the order ends here"),
    ("A1 run: forward 3;left 4", "expected a comma or the end of the order, found ';left'"),
    ("A1 run: forward", "expected a length in inches, but the order ends here"),
    ("A1 run: left 361", "expected an angle in degrees, found '361'; 360 or less"),
    ("A1 run: forward 1e99", "found '1e99'; a number with an exponent from -40 to 40"),
    ("A1 run: drift 1e400", "expected a drift, found '1e400'"),
    ("A1 run: forward 1/0", "expected a length in inches, found '1/0'"),
    ("A1 run: turn nroth", "found 'nroth'; did you mean 'north'?"),
    ("A1 run forward 3", "expected a colon, 'to' or the end of the order, found 'forward'"),
    ("A1 run to nowhere", "expected a place such as 12,8, found 'nowhere'"),
    ("A1 run to 3", "expected a place such as 12,8, found '3'"),
    ("A1 run to 3,4 facing", "expected a heading: degrees, or a compass word such as north-east, but the order ends"),
    ("A1 run to 3,4: forward 2", "expected 'facing', 'via' or the end of the order, found ':'"),
    ("A1 charge A9: forward 1", "expected an enemy, found 'A9'; known: A1, A2, B1, tank-7, Ölberg"),
    ("A1 charge B1", "expected a colon and then forward, but the order ends here"),
    ("A1 charge B1: forward 1", "expected at least 2 elements for charge, but the order ends here"),
    ("A1 charge: forward 1", "expected an enemy, found ':'"),
    ("A1 charge B1: left 20", "expected forward, found 'left'"),
    ("A1 dodge goood from 3,4", "expected normal or good, found 'goood'; did you mean 'good'?\n"),
    ("A1 dodge good", "expected 'from' and then a place such as 12,8, but the order ends here"),
    ("A1 sprint with 2.5", "expected a number of dice, found '2.5'"),
    ("A1 sprint: forward 3", "expected 'with' or the end of the order, found ':'"),
    ("A1 run: path 1,2, 3,4", "found '3'"),
    ("A1 done now", "expected the end of the order, found 'now'"),
    ("A1 run:\tforward\tx", "expected a length in inches, found 'x'\n  A1 run: forward x\n                  ^"),
]


#: What was probably meant, or else an order of the kind that was begun.
ADVICE = [
    ("A1 run forward 3", "did you mean 'A1 run: forward 3'?"),
    ("A1 forward 3, left 45", "did you mean 'A1 run: forward 3, left 45'?"),
    ("A1 run: forward 3,", "did you mean 'A1 run: forward 3'?"),
    ("A1", "an order reads like 'A1 run: forward 4'"),
    ("A1 run: left 361", "an order reads like 'A1 run: forward 4'"),
    ("A1 charge", "an order reads like 'A1 charge A2: forward 4, forward 4'"),
    ("A1 dodge good", "an order reads like 'A1 dodge normal from 12,8'"),
    ("A1 sprint with", "an order reads like 'A1 sprint'"),
]


class TestFaults:
    @pytest.mark.parametrize(("text", "advice"), ADVICE, ids=[text for text, _ in ADVICE])
    def test_an_order_that_would_be_right_is_named(self, text, advice):
        with pytest.raises(UnreadableOrder) as caught:
            read_order(text, WORDS, UNITS)
        assert (caught.value.advice, str(caught.value).splitlines()[-1].strip()) == (advice, advice)
        read_order(advice.split("'")[1], WORDS, UNITS)

    @pytest.mark.parametrize("text", ["", "7 run", "A9 forward 3", "A1 " + "x" * 20_000])
    def test_nobody_guesses_what_can_not_be_guessed(self, text):
        with pytest.raises(UnreadableOrder) as caught:
            read_order(text, WORDS, UNITS)
        assert caught.value.advice == ""

    @pytest.mark.parametrize(("text", "told"), FAULTS, ids=[text or "nothing" for text, _ in FAULTS])
    def test_the_spot_is_marked_and_told_what_could_stand_there(self, text, told):
        with pytest.raises(UnreadableOrder) as caught:
            read_order(text, WORDS, UNITS)
        assert told in str(caught.value)

    def test_a_text_without_end_is_refused(self):
        with pytest.raises(UnreadableOrder, match="at most 20000 characters"):
            read_order("A1: " + "forward 1, " * 5000, WORDS)

    @pytest.mark.parametrize(
        ("order", "told"),
        [
            (Order("A1", "fly"), "an action"),
            (Order("A1", "run", [Element("back")]), "an element"),
            (Order("A1", "run", [Element("forward", {"lenth": 3})]), "did you mean 'length'"),
            (Order("A1", "run", [Element("forward")]), "a length in inches"),
            (Order("A1", "run", [Element("forward", {"length": "far"})]), "a length in inches"),
        ],
    )
    def test_an_order_built_by_hand_has_to_fit_the_vocabulary(self, order, told):
        with pytest.raises(UnreadableOrder, match=told):
            checked(order, WORDS)


class TestVocabulary:
    def test_names_stand_once(self):
        with pytest.raises(ValueError, match="a name appears twice"):
            Vocabulary(actions=[ActionForm("run"), ActionForm("run")])

    def test_the_words_of_the_clock_are_taken(self):
        with pytest.raises(ValueError, match="a name appears twice"):
            Vocabulary(actions=[ActionForm("done")])

    def test_elements_of_an_action_are_declared(self):
        with pytest.raises(KeyError):
            Vocabulary(actions=[ActionForm("run", elements=("forward",))])

    @pytest.mark.parametrize("name", ["", "two words", "7th", "a:b"])
    def test_a_name_is_a_name(self, name):
        with pytest.raises(ValueError, match="not a name"):
            Form(name)

    def test_what_may_be_missing_stands_last(self):
        with pytest.raises(ValueError, match="only the last"):
            Form("odd", [Arg("a", exact_number(), optional=True), Arg("b", exact_number())])


@pytest.mark.parametrize("name", list(shelf()))
def test_every_action_of_every_rulebook_has_an_example_that_can_be_read(name):
    vocabulary = shelf()[name].vocabulary
    for action in vocabulary.actions:
        text = example_order(action, "A1", lambda _kind: "B1", vocabulary)
        assert read_order(text, vocabulary, ["A1", "B1"]).action == action.name
