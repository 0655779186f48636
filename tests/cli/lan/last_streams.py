"""A client of HTTP/2 whose server is told to stop in the middle. Prints a line for each thing it sees.

last_streams.py ADDRESS PORT CREDENTIALS PROCESS: the credentials as NAME:PASSWORD.
"""

import base64
import os
import signal
import sys

from http2 import DATA, END_STREAM, Connection

ADDRESS, PORT, CREDENTIALS, PROCESS = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
SIGNED = ("authorization", "Basic " + base64.b64encode(CREDENTIALS.encode()).decode())

connection = Connection(ADDRESS, PORT)
events = connection.ask("/api/v1/events", headers=[SIGNED])
print("events are streamed:", connection.until(lambda: events in connection.bodies))
begun = connection.ask("/user/login?_format=json", "POST", [("content-type", "application/json")], b"{", whole=False)
later = connection.ask("/user/login_status?_format=json")
print("a later one is answered:", connection.until(lambda: later in connection.ended))
os.kill(PROCESS, signal.SIGINT)
print("the stream ends:", connection.until(lambda: events in connection.ended))
connection.put(DATA, END_STREAM, begun, b"}")
print("what was begun is answered:", connection.until(lambda: begun in connection.answers))
print("the connection ends in order:", connection.until(lambda: connection.closed) and connection.goaway == 0)
