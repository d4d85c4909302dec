"""The computer at Connect Four, judged by a program that shares nothing with noughts."""
