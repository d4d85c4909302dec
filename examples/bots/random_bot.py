"""A bot for noughts that plays tic-tac-toe at random; docs/protocol.md describes the lines that it reads and writes."""

import random
import sys

for line in sys.stdin:
    command, *words = line.split() or [""]
    if command == "noughts":
        print("id name Random\nok", flush=True)
    elif command == "isready":
        print("readyok", flush=True)
    elif command == "position":
        played = words[words.index("moves") + 1 :]
    elif command == "go":
        print("bestmove", random.choice([cell for cell in "123456789" if cell not in played]), flush=True)
    elif command == "quit":
        break
