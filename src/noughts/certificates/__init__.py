"""Certificates: strategies written to a file that anybody can check."""
