/**
 * Has webpack write a source map that names files and lines: columns and the texts of the sources would make it many times as
 * large. Each worker reads the map, copies it to its thread and compiles it as a comment, and only stack traces are looked up in it.
 */
export function useLineMap<Configuration extends object>(configuration: Configuration) {
  return { ...configuration, devtool: 'inline-nosources-cheap-module-source-map' as const };
}
