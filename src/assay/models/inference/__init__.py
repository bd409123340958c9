"""Models on this machine: weights, windows of tokens, ONNX sessions, threads."""
