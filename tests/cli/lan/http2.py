"""A client of HTTP/2 (RFC 9113) that sends what it is told to, also what no proper client sends."""

import socket
import ssl
import struct

DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, WINDOW, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM, END_HEADERS, ACK = 1, 4, 1
# Statuses that the static table has (RFC 7541, appendix A).
STATUSES = {0x88: 200, 0x89: 204, 0x8A: 206, 0x8B: 304, 0x8C: 400, 0x8D: 404, 0x8E: 500}
DIGITS = {"00000": "0", "00001": "1", "00010": "2"} | {f"{25 + n:06b}": str(3 + n) for n in range(7)}


def text(value):
    """A string, not compressed."""
    value, length = value.encode(), b""
    rest = len(value) - 127
    if rest < 0:
        return bytes([len(value)]) + value
    while rest >= 128:
        length, rest = length + bytes([rest % 128 + 128]), rest // 128
    return b"\x7f" + length + bytes([rest]) + value


def status_of(block):
    """The status, which stands first in the head of an answer."""
    if block[0] >= 128:
        # One that was sent before is 0 here.
        return STATUSES.get(block[0], 0)
    value = block[2 : 2 + (block[1] & 127)]
    if block[1] < 128:
        return int(value)
    bits, digits = "".join(f"{byte:08b}" for byte in value), ""
    while len(digits) < 3:
        size = 5 if bits[:5] in DIGITS else 6
        digits, bits = digits + DIGITS[bits[:size]], bits[size:]
    return int(digits)


class Connection:
    """A connection over TLS. `answers` has the status of each stream, `bodies` what came of its body, `goaway` the code
    with which the server gives up the connection."""

    def __init__(self, address, port, preface=True):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(["h2"])
        stream = socket.create_connection((address, port), timeout=90)
        self.socket = context.wrap_socket(stream)
        self.protocol = self.socket.selected_alpn_protocol()
        self.host, self.next = f"{address}:{port}", 1
        self.answers, self.bodies, self.ended, self.reset = {}, {}, set(), set()
        self.closed, self.goaway = False, None
        self.unread, self.unsent = b"", b""
        if preface:
            self.unsent = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + self.frame(SETTINGS, 0, 0, b"")
            self.flush()

    @staticmethod
    def frame(kind, flags, stream, payload):
        return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload

    def put(self, *frame):
        """Sends a frame with the next flush."""
        self.unsent += self.frame(*frame)

    def flush(self):
        unsent, self.unsent = self.unsent, b""
        try:
            self.socket.sendall(unsent)
        except OSError:
            self.closed = True

    def block(self, method, path, headers):
        pseudo = {":method": method, ":scheme": "https", ":authority": self.host, ":path": path}
        return b"".join(b"\x00" + text(name) + text(value) for name, value in [*pseudo.items(), *headers])

    def ask(self, path, method="GET", headers=(), body=b"", whole=True):
        """A request with the next flush. Where it is not whole, its body goes on."""
        stream, self.next = self.next, self.next + 2
        block = self.block(method, path, headers)
        pieces = [block[first : first + 16000] for first in range(0, len(block), 16000)]
        for number, piece in enumerate(pieces):
            flags = END_HEADERS * (number == len(pieces) - 1)
            flags |= END_STREAM * (number == 0 and whole and not body)
            self.put(CONTINUATION if number else HEADERS, flags, stream, piece)
        if body:
            self.put(DATA, END_STREAM * whole, stream, body)
        return stream

    def take(self, size):
        while len(self.unread) < size:
            more = self.socket.recv(65536)
            if not more:
                raise ConnectionResetError
            self.unread += more
        taken, self.unread = self.unread[:size], self.unread[size:]
        return taken

    def read(self):
        """Takes a frame, and says what has to be said to it. False when the server has hung up."""
        try:
            head = self.take(9)
            kind, flags, stream = head[3], head[4], struct.unpack(">I", head[5:])[0]
            payload = self.take(int.from_bytes(head[:3], "big"))
        except (ConnectionError, ssl.SSLError):
            self.closed = True
            return False
        if kind in (SETTINGS, PING) and not flags & ACK:
            self.put(kind, ACK, 0, payload if kind == PING else b"")
            self.flush()
        elif kind == HEADERS:
            self.answers[stream] = status_of(payload)
        elif kind == DATA:
            self.bodies[stream] = self.bodies.get(stream, b"") + payload
        elif kind == RESET:
            self.reset.add(stream)
        elif kind == GOAWAY:
            self.goaway = struct.unpack(">I", payload[4:8])[0]
        if kind in (DATA, HEADERS) and flags & END_STREAM:
            self.ended.add(stream)
        return True

    def until(self, happened):
        """Reads until something has happened, and says whether it did before the server hung up."""
        self.flush()
        while not happened() and self.read():
            pass
        return happened()
