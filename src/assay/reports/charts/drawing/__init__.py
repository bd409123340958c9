"""Runs and figures -> the parts of a chart: axes, lines, labels. One file per part."""
