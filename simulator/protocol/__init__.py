"""The engine for bots: JSON-RPC 2.0 on standard input and output, one message a line; see docs/engine_protocol.md.

    messages    JSON-RPC: reading lines, requests, batches, answers; it knows no games
    refusals    what is wrong, as an error of JSON-RPC with its code and data
    folder      the files that may be read and written
    sessions    the games by their ids, with undo and redo
    areas       the areas asked for with a deadline, to go on with
    params      the parameters of each method
    methods     the methods
    server      the loop

Results are the plain data of `formats`, with the models of `formats.answers`.
"""
