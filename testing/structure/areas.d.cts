export function areaOf(areas: readonly string[], place: string): string;
