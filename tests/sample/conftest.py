"""One thread: these tests share a machine with others."""

import torch

torch.set_num_threads(1)
