const SILENT_MS = 5_000;

export async function notifyIfSlow<T>(answer: Promise<T>, say: () => void, silentMs = SILENT_MS): Promise<T> {
  const timer = setTimeout(say, silentMs);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}
