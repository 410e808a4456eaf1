"""Where tensors live: which devices are here, how much they hold, how numbers get there and back."""

import torch
from torch import Tensor

from verifier.sample.unsupported import RefusedError

SHARE = 0.5  # of a device's memory: other processes sample on it too


def device_of(wanted: str) -> str:
    """`auto` is the best device present; a named one must be present."""
    present = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if wanted == "auto":
        return next(name for name, found in present.items() if found)
    if not present.get(wanted):
        raise RefusedError(f"the device {wanted}, which is not present here")
    return wanted


def memory_on(device: str, limit: int) -> int:
    """Bytes that chunks of draws may take. All of the memory counts, and not what is free of it now:
    chunk sizes decide the last digits, and these must be the same in every run."""
    match device:
        case "cuda":
            whole = torch.cuda.get_device_properties(torch.device(device)).total_memory
        case "mps":
            whole = torch.mps.recommended_max_memory()
        case _:
            return limit
    return min(limit, int(SHARE * whole))


def sent(value: Tensor, device: str, dtype: torch.dtype) -> Tensor:
    """A tensor of the CPU on a device: cast before it leaves, for not every device has float64."""
    return value.to(dtype).to(device)


def brought(value: Tensor) -> Tensor:
    """A tensor of a device on the CPU in float64: cast after it has come, for the same reason."""
    return value.to("cpu").to(torch.float64)
