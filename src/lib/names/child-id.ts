/** Id of the run that a part of another run is, such as a node of a pipeline or a task of a plan. */
export function childId(parentId: string, part: string): string {
  return `${parentId}/${part}`;
}
