"""A client on the network that does not go on. Prints a line for each thing it sees.

slow.py ADDRESS PORT PATH PLACES: PATH is a large file that everybody may read, PLACES how many
connections one client may have.
"""

import socket
import ssl
import sys
import time

ADDRESS, PORT, PATH, PLACES = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
# The first bytes of a ClientHello of 512 bytes (RFC 8446, section 5.1).
BEGUN = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"


def connect():
    return socket.create_connection((ADDRESS, PORT), timeout=60)


def ends(said):
    """Whether the server hangs up on somebody who says no more than this."""
    with connect() as stream:
        stream.sendall(said)
        try:
            while stream.recv(4096):
                pass
        except ConnectionResetError:
            pass
        return True


def encrypted():
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(connect())


def ask(stream, path):
    stream.sendall(f"GET {path} HTTP/1.1\r\nHost: {ADDRESS}:{PORT}\r\n\r\n".encode())
    return stream.recv(15).decode()


def soon(attempt):
    """What an attempt gives that succeeds as soon as a place is free, within a minute."""
    end = time.monotonic() + 60
    while True:
        try:
            return attempt()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def begun():
    """A connection whose answer has begun."""
    stream = encrypted()
    if ask(stream, PATH) != "HTTP/1.1 200 OK":
        raise OSError("no answer")
    return stream


def let_in():
    try:
        with encrypted() as stream:
            return ask(stream, "/user/login_status") == "HTTP/1.1 200 OK"
    except OSError:
        return False


print("silence ends:", ends(b""))
print("half a handshake ends:", ends(BEGUN))
with soon(encrypted) as stream:
    while stream.recv(4096):
        pass
    print("no request ends:", True)
slow = [soon(begun) for _ in range(PLACES)]
print("there is no further place:", not let_in())
end = time.monotonic() + 60
while not (free := let_in()) and time.monotonic() < end:
    time.sleep(0.1)
print("one is free again:", free)
