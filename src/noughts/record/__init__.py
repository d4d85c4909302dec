"""Records of games as text, in the manner of PGN: tags, moves and comments, several games in a file.

>>> from noughts.record import read_records
>>> [record] = read_records('[Game "tic-tac-toe"] 1. 5 {The centre.} 1 2. 3')
>>> record.replayed().text(str)
'5 1 3'
"""

from noughts.record.reading import read_record, read_record_file, read_records
from noughts.record.record import Move, Record, Result, built_in, write_records

__all__ = ["Move", "Record", "Result", "built_in", "read_record", "read_record_file", "read_records", "write_records"]
