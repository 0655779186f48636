"""A client of HTTP/2 that begins and does not go on, or begins too much. Prints a line for each thing it sees.

hostile_streams.py ADDRESS PORT PATH: PATH is a large file that everybody may read.
"""

import struct
import sys

from http2 import END_STREAM, HEADERS, RESET, WINDOW, Connection

ADDRESS, PORT, PATH = sys.argv[1], int(sys.argv[2]), sys.argv[3]
SHORT = "/user/login_status?_format=json"


def connect(**how):
    return Connection(ADDRESS, PORT, **how)


def status(path, **request):
    """The status of a request on a connection of its own."""
    connection = connect()
    stream = connection.ask(path, **request)
    connection.until(lambda: stream in connection.answers)
    return connection.answers.get(stream)


def ends(connection):
    """Whether the server hangs up."""
    return connection.until(lambda: connection.closed)


print("silence ends:", ends(connect(preface=False)))
print("no request ends:", ends(connect()))
begun = connect()
begun.put(HEADERS, END_STREAM, 1, begun.block("GET", SHORT, []))
print("half a head ends:", ends(begun))
answered = connect()
stream = answered.ask(SHORT)
print("a request is answered:", answered.until(lambda: stream in answered.ended))
print("idleness ends:", ends(answered))
print("a body that does not come:", status("/user/login", method="POST", whole=False))
print("a head that is too long:", status(SHORT, headers=[("x-long", "a" * 85_000)]))
print("a head of too many lines:", status(SHORT, headers=[(f"x-{n}", "a") for n in range(101)]))

# No more than the first 64 KB of an answer are let in, beside others.
slow = connect()
stalled = slow.ask(PATH)
slow.until(lambda: len(slow.bodies.get(stalled, b"")) == 65535)
slow.put(WINDOW, 0, 0, struct.pack(">I", 65535))
stream = slow.ask(SHORT)
print("the others go on:", slow.until(lambda: stream in slow.ended))
print("an answer that is not taken ends:", slow.until(lambda: stalled in slow.reset))
print("its connection does not:", slow.goaway is None and not slow.closed)

many = connect()
for _ in range(41):
    many.ask("/user/login", "POST", whole=False)
print("there are too many at once:", many.until(lambda: 503 in many.answers.values()))

CANCEL, NO_ERROR = 8, 0
hasty = connect()
for _ in range(500):
    hasty.put(RESET, 0, hasty.ask(SHORT), struct.pack(">I", CANCEL))
# The words of the server are lost where it hangs up before it has read everything.
print("what is taken back ends:", ends(hasty) and hasty.goaway != NO_ERROR)
