const QUOTED =
  /draft|output|quot|example|input|task|attempt|submission|injection|fake|forged|claim|alleged|embedded|author|demand|request|attack/i;

/** Whether the name of a field says that its value repeats something, and does not judge. */
export function isCalledQuote(name: string): boolean {
  return QUOTED.test(name) && name !== 'output_json';
}
