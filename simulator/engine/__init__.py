"""The referee's table: it takes orders, asks, applies what happens, prices it, and can replay, undo and branch.

No rulebook is known here by name. Read in this order:

    values      the plain data that everything below is made of, with one text form each
    state       units and the table as immutable values
    orders      what a player says, as an object and, with `reading`, as text
    questions   what a rule has to ask, out of a list or of `ranges`; `dice` and `answers`: who answers
    events      what happened, and `ledger`: what it cost; `legs`: moves made and paid in parts; `carrying`: units
                that carry units
    actions     rules as generators, and what runs them
    clock       where the turn stands, and `turns`: whose go it is
    ruleset     the form a rulebook fills in, with `options`, `tables`, `clauses`; `constraints`: what fields may hold
    game        the table itself; `log`: the record it leaves
    reach       the form of every ruleset's answer to "where can it end?", and of "why not there?";
                `lattice_reach`: what answers on squares and dots have in common
    chain       questions one after the other, each from every end of the one before
    foresight   what orders would do, and who could interrupt them, out of all their `plays`; `best_case`: what goes
                well, `memory`: which plays go on alike; `comparison`: what other options change;
                `threats`: a whole side at once; `areas`: how much ground that is
"""
