"""Many requests at the same time on one connection. Prints a line for each thing it sees.

many.py ADDRESS PORT CREDENTIALS: the last as NAME:PASSWORD.
"""

import base64
import json
import sys

from http2 import Connection

ADDRESS, PORT, CREDENTIALS = sys.argv[1], int(sys.argv[2]), sys.argv[3]
SIGNED = ("authorization", "Basic " + base64.b64encode(CREDENTIALS.encode()).decode())

connection = Connection(ADDRESS, PORT)
print("it is HTTP/2:", connection.protocol == "h2")
events = connection.ask("/api/v1/events", headers=[SIGNED])
print("events are streamed:", connection.until(lambda: events in connection.bodies))

asked = [connection.ask("/user/login_status?_format=json") for _ in range(100)]
print("a hundred are answered:", connection.until(lambda: connection.ended.issuperset(asked)))
print("all well:", {connection.answers[stream] for stream in asked} == {200})

term = json.dumps({"vid": [{"target_id": "tags"}], "name": [{"value": "archipelago"}]}).encode()
kind = ("content-type", "application/json")
made = connection.ask("/taxonomy/term?_format=json", "POST", [SIGNED, kind], term)
print("one is made:", connection.until(lambda: made in connection.ended) and connection.answers[made] == 201)
print("the stream tells:", connection.until(lambda: b"archipelago" in connection.bodies[events]))
