"""A client on the network that does not go on. Prints a line for each thing it sees.

slow.py ADDRESS PORT PATH: PATH is a large file that everybody may read.
"""

import socket
import ssl
import sys
import time

ADDRESS, PORT, PATH = sys.argv[1], int(sys.argv[2]), sys.argv[3]
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


def let_in():
    try:
        with encrypted() as stream:
            return ask(stream, "/user/login_status") == "HTTP/1.1 200 OK"
    except OSError:
        return False


print("silence ends:", ends(b""))
print("half a handshake ends:", ends(BEGUN))
with encrypted() as stream:
    while stream.recv(4096):
        pass
    print("no request ends:", True)
slow = encrypted()
print("the answer begins:", ask(slow, PATH) == "HTTP/1.1 200 OK")
print("there is no second place:", not let_in())
end = time.monotonic() + 60
while not (free := let_in()) and time.monotonic() < end:
    time.sleep(0.1)
print("it is free again:", free)
