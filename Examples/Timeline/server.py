"""Serves the documents of Fixtures on a free port of the loopback, slowly, and prints the port.

The pauses make a document arrive in several chunks, as it does from afar.
"""

import http.server
import pathlib
import time

DOCUMENTS = pathlib.Path(__file__).resolve().parents[2] / "Fixtures" / "documents"
CHUNK = 8_000


class SlowHandler(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, directory=str(DOCUMENTS), **options)

    def copyfile(self, source, outputfile):
        while chunk := source.read(CHUNK):
            outputfile.write(chunk)
            outputfile.flush()
            time.sleep(0.02)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), SlowHandler)
print(server.server_port, flush=True)
server.serve_forever()
