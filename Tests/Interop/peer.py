"""The servers that the transport tests talk to: raw ones that break rules, the PyPI package
`websockets` where it is installed, TLS with good and bad certificates, and a CONNECT proxy.

Prints one line of JSON with the ports, serves on 127.0.0.1 and ::1, and ends when its standard
input does. The path of a request says what the server does; `id` names a run, so that another
connection (/seen, /release) can ask or tell about it.
"""
import asyncio
import base64
import hashlib
import json
import logging
import os
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
from urllib.parse import parse_qs, urlsplit

try:
    from websockets.asyncio.server import serve as websockets_serve
except ImportError:
    websockets_serve = None

# A client that drops its connection is part of the tests.
logging.disable()
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
runs = {}


class Run:
    """What happened on one connection, for others to wait for."""

    def __init__(self):
        self.result = asyncio.get_running_loop().create_future()
        self.released = asyncio.Event()
        self.arrived = asyncio.Event()

    def report(self, text):
        if not self.result.done():
            self.result.set_result(text)


def run_of(query):
    return runs.setdefault(query.get("id", "-"), Run())


def frame(opcode, payload, fin=True, mask=False, length=None):
    head = bytes([(0x80 if fin else 0) | opcode])
    n = len(payload) if length is None else length
    bit = 0x80 if mask else 0
    if n < 126:
        head += bytes([bit | n])
    elif n < 65536:
        head += bytes([bit | 126]) + struct.pack(">H", n)
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", n)
    return head + (b"\0\0\0\0" if mask else b"") + payload


async def read_frame(reader):
    first, second = await reader.readexactly(2)
    n = second & 127
    if n == 126:
        (n,) = struct.unpack(">H", await reader.readexactly(2))
    elif n == 127:
        (n,) = struct.unpack(">Q", await reader.readexactly(8))
    assert second & 0x80, "a client must mask"
    key = await reader.readexactly(4)
    data = bytearray(await reader.readexactly(n))
    for i in range(min(n, 4096)):
        data[i] ^= key[i & 3]
    return first & 15, bytes(data)


async def read_head(reader):
    first = await reader.readexactly(1)
    if first == b"\x16":  # TLS, which this port doesn't speak
        raise ConnectionError
    head = (first + await reader.readuntil(b"\r\n\r\n")).decode()
    lines = head.split("\r\n")
    headers = {}
    for line in lines[1:]:
        if ":" in line:
            name, value = line.split(":", 1)
            headers.setdefault(name.strip().lower(), value.strip())
    return head, lines[0], headers


def switch(headers, extra=b"", accept=None):
    key = headers["sec-websocket-key"].encode()
    accept = accept or base64.b64encode(hashlib.sha1(key + GUID).digest())
    return (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + accept + b"\r\n" + extra + b"\r\n"
    )


async def bye(reader, writer, query):
    """Reports the code and reason of the client's close frame, or how else it went."""
    run = run_of(query)
    try:
        while True:
            opcode, data = await read_frame(reader)
            if opcode == 8:
                code = struct.unpack(">H", data[:2])[0] if data else 1005
                run.report(f"{code} {data[2:].decode()}".strip())
                return
    except (asyncio.IncompleteReadError, ConnectionError):
        run.report("gone")


def reset(writer):
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def raw(reader, writer):
    try:
        head, line, headers = await read_head(reader)
        target = urlsplit(line.split(" ")[1])
        query = {k: v[0] for k, v in parse_qs(target.query, keep_blank_values=True).items()}
        await act(target.path, query, head, headers, reader, writer)
        await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def stay_silent(reader, run):
    run.arrived.set()
    try:
        await reader.read()
    finally:
        run.report("gone")


async def act(path, query, head, headers, reader, writer):
    def write(data):
        writer.write(data)

    if path == "/request":
        write(switch(headers) + frame(1, head.encode()) + frame(8, b"\x03\xe8"))
        await bye(reader, writer, query)
    elif path == "/trickle":
        data = switch(headers) + frame(1, "h\u00e9llo".encode()) + frame(9, b"p")
        data += frame(1, b"a", fin=False) + frame(10, b"") + frame(0, b"b") + frame(8, b"\x03\xe8")
        sock = writer.get_extra_info("socket")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in data:
            write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0)
        await bye(reader, writer, query)
    elif path == "/early":
        write(switch(headers) + frame(1, b"one") + frame(2, b"two") + frame(8, b"\x03\xe8bye"))
        await bye(reader, writer, query)
    elif path == "/wrong-accept":
        write(switch(headers, accept=b"AAAAAAAAAAAAAAAAAAAAAAAAAAA="))
        await reader.read()
    elif path == "/unoffered":
        write(switch(headers, extra=b"Sec-WebSocket-Protocol: soap\r\n"))
        await reader.read()
    elif path == "/garbage":
        write(b"220 mail.example ESMTP\r\n")
        await reader.read()
    elif path == "/hangup":
        write(b"HTTP/1.1 1")
    elif path == "/status":
        body = b'{"error":{"message":"no"}}'
        extra = "Location: /echo\r\n" if query["code"].startswith("3") else ""
        write(
            f"HTTP/1.1 {query['code']} No\r\n{extra}Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        await reader.read()
    elif path == "/silent":
        await stay_silent(reader, run_of(query))
    elif path == "/raw":
        write(switch(headers) + bytes.fromhex(query["hex"]))
        await writer.drain()
        await bye(reader, writer, query)
    elif path == "/mute":
        # Open, and deaf to close frames.
        write(switch(headers))
        await reader.read()
        run_of(query).report("gone")
    elif path == "/fin":
        write(switch(headers) + frame(1, b"last"))
    elif path == "/cut":
        write(switch(headers) + frame(1, b"half", length=10))
    elif path == "/rst":
        write(switch(headers))
        await read_frame(reader)
        reset(writer)
    elif path == "/slow":
        write(switch(headers))
        await writer.drain()
        run = run_of(query)
        await run.released.wait()
        total = 0
        while total < int(query["bytes"]):
            _, data = await read_frame(reader)
            total += len(data)
        write(frame(1, str(total).encode()) + frame(8, b"\x03\xe8"))
        await bye(reader, writer, query)
    elif path == "/order":
        # Messages "thread number": each thread's numbers must come in order.
        write(switch(headers))
        last, count = {}, 0
        while count < int(query["count"]):
            _, data = await read_frame(reader)
            thread, number = data.decode().split()
            assert last.get(thread, -1) + 1 == int(number), "out of order"
            last[thread] = int(number)
            count += 1
        write(frame(1, f"{len(last)} {count}".encode()) + frame(8, b"\x03\xe8"))
        await bye(reader, writer, query)
    elif path == "/overtake":
        # Reads nothing until released, then says where in the stream the ping came.
        write(switch(headers))
        await writer.drain()
        await run_of(query).released.wait()
        before = 0
        while True:
            opcode, data = await read_frame(reader)
            if opcode == 9:
                break
            before += 1
        write(frame(1, str(before).encode()) + frame(8, b"\x03\xe8"))
        await bye(reader, writer, query)
    elif path == "/release":
        run_of(query).released.set()
        write(switch(headers) + frame(8, b"\x03\xe8"))
        await bye(reader, writer, {})
    elif path == "/arrived":
        await run_of(query).arrived.wait()
        write(switch(headers) + frame(8, b"\x03\xe8"))
        await bye(reader, writer, {})
    elif path == "/seen":
        text = await asyncio.shield(run_of(query).result)
        write(switch(headers) + frame(1, text.encode()) + frame(8, b"\x03\xe8"))
        await bye(reader, writer, {})
    else:
        write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")


async def library(websocket):
    """The scenarios that the `websockets` package serves."""
    target = urlsplit(websocket.request.path)
    query = {k: v[0] for k, v in parse_qs(target.query, keep_blank_values=True).items()}
    if target.path == "/echo":
        async for message in websocket:
            await websocket.send(message)
    elif target.path == "/close":
        await websocket.close(int(query["code"]), query.get("reason", ""))
    elif target.path == "/ping":
        await (await websocket.ping(query["payload"].encode()))
        await websocket.send("ponged")
        await websocket.wait_closed()
        run_of(query).report(f"{websocket.close_code} {websocket.close_reason}".strip())
    elif target.path == "/fragments":
        size = int(query["bytes"])
        piece = bytes(range(256)) * 64

        async def pieces():
            for start in range(0, size, len(piece)):
                await websocket.ping()
                yield piece[: size - start]

        await websocket.send(pieces())
        await websocket.wait_closed()


async def proxy(reader, writer, login=None):
    """Connects localhost to the port asked for, and every other name to the raw server."""
    _, line, headers = await read_head(reader)
    wanted = "Basic " + base64.b64encode(login.encode()).decode() if login else None
    if not line.startswith("CONNECT ") or headers.get("proxy-authorization") != wanted:
        writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\n")
        writer.write(b'Proxy-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n')
        await writer.drain()
        writer.close()
        return
    host, port = line.split(" ")[1].rsplit(":", 1)
    port = int(port) if host == "localhost" else ports["raw"]
    up_reader, up_writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")

    async def pump(source, sink):
        try:
            while data := await source.read(65536):
                sink.write(data)
                await sink.drain()
        except ConnectionError:
            pass
        sink.close()

    await asyncio.gather(pump(reader, up_writer), pump(up_reader, writer))


def certificates(folder):
    """Makes a CA and certificates that are right, for another host, expired and self-signed."""

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Test CA",
            "-days", "2")
    here = "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1"
    openssl("req", "-x509", *key, "-keyout", "self.key", "-out", "self.pem", "-subj", "/CN=x",
            "-days", "2", "-addext", here)
    for name, days, names in [("good", "2", here), ("expired", "-1", here),
                              ("wrong", "2", "subjectAltName=DNS:other.example")]:
        openssl("req", *key, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", "/CN=x")
        with open(os.path.join(folder, f"{name}.ext"), "w") as file:
            file.write(names + "\n")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
                "-days", days, "-extfile", f"{name}.ext", "-out", f"{name}.pem")


def context(folder, name):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(os.path.join(folder, f"{name}.pem"), os.path.join(folder, f"{name}.key"))
    return made


def listeners():
    """Two sockets on the same port, 127.0.0.1 and, where there is IPv6, ::1."""
    while True:
        four = socket.create_server(("127.0.0.1", 0), backlog=512)
        port = four.getsockname()[1]
        try:
            six = socket.create_server(("::1", port), family=socket.AF_INET6, backlog=512)
        except OSError:
            if not os.path.exists("/proc/net/if_inet6"):
                return port, [four]
            four.close()
            continue
        return port, [four, six]


ports = {}


async def main():
    folder = tempfile.mkdtemp(prefix="realtime-voice-peer-")
    certificates(folder)

    async def listen(name, handler, **options):
        ports[name], sockets = listeners()
        for each in sockets:
            await asyncio.start_server(handler, sock=each, limit=1 << 20, **options)

    await listen("raw", raw)
    for name in ["good", "self", "expired", "wrong"]:
        await listen(name, raw, ssl=context(folder, name))
    await listen("proxy", proxy)
    await listen("proxyLogin", lambda r, w: proxy(r, w, "user:pa ss"))

    # Accept, and never speak TLS.
    for name in ["stuck", "stuckCancel"]:
        await listen(name, lambda r, w, name=name: stay_silent(r, run_of({"id": name})))
    if websockets_serve:
        for name, options in [("ws", {}), ("wss", {"ssl": context(folder, "good")})]:
            ports[name], sockets = listeners()
            for each in sockets:
                await websockets_serve(
                    library, sock=each, max_size=64 << 20, compression=None, ping_interval=None,
                    select_subprotocol=lambda _, offered: offered[0] if offered else None,
                    **options)
    closed = socket.create_server(("127.0.0.1", 0))
    ports["refused"] = closed.getsockname()[1]
    closed.close()
    print(json.dumps({"ports": ports, "folder": folder}), flush=True)
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, sys.stdin.read)
    subprocess.run(["rm", "-r", folder])
    os._exit(0)


asyncio.run(main())
