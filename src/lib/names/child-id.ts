export function childId(parentId: string, part: string): string {
  return `${parentId}/${part}`;
}
