"""The referee's table: it takes orders, asks questions, applies and prices events, and can replay, undo and branch.

No module here names a rulebook. Read in this order:

    values      the plain data of everything below, each kind with one text form
    state       units and the table as immutable values
    orders      a player's orders as objects and, with `reading`, as text
    questions   what a rule asks, with a list or `ranges` of answers; `dice` and `answers`: who answers
    events      what happened, and `ledger`: what it cost; `legs`: moves made and paid in parts; `carrying`: units
                that carry units
    actions     rules as generators, and the run of an order
    clock       the position in the turn, and `turns`: whose go it is
    ruleset     the form of a rulebook, with `options`, `tables`, `clauses`; `constraints`: valid values of fields
    game        the table itself; `log`: its record
    legal_orders   what programs that play choose from: `order_lists`, and `order_samples` where orders are infinitely
                many; `objectives`: what a game is played for; `steps`: one order, played to its end
    reach       the form of every ruleset's answer to "where can it end?", and of "why not there?";
                `lattice_reach`: what answers on squares and dots have in common
    chain       questions in a row, each from every end of the one before
    foresight   what orders would do, and who could interrupt them, from all their `plays`; `best_case`: the answers
                that go well, `memory`: which plays continue alike; `comparison`: what other options change;
                `threats`: a whole side at once; `areas`: the size of areas
"""
