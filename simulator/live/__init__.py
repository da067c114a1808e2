"""The live table: a server on this machine and a page in the browser that asks, orders, takes back and branches.

    moments     what is asked about: a scenario, and the orders and answers given since its beginning
    questions   the questions of the page, each with its fields, and their answers as plain data
    workers     processes that answer; one that takes too long, or whose page no longer waits, is stopped
    app         the web face: who may ask, how much, and the files of the page

The page knows no rules, and the server remembers no game: every question names its moment in full, so that pages do
not disturb each other, and the address of a page holds the moment that it shows.
"""
