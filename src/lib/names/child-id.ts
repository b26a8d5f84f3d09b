/** Returns the id of the run that is a part of another run, such as a node of a pipeline or a task of a plan. */
export function childId(parentId: string, part: string): string {
  return `${parentId}/${part}`;
}
