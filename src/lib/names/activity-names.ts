/** Leads the names of all our activities: a worker may have others, of its owner or of another library. */
const PREFIX = 'reflection.';

/** Activities under the names by which workers and histories know them. */
export type Registered<Activities> = {
  [Name in keyof Activities & string as `${typeof PREFIX}${Name}`]: Activities[Name];
};

export function activityName<Name extends string>(name: Name): `${typeof PREFIX}${Name}` {
  return `${PREFIX}${name}`;
}

export function plainActivityName(name: string): string {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
}

export function addActivityPrefix<Activities extends object>(activities: Activities): Registered<Activities> {
  const named = Object.entries(activities).map(([name, activity]) => [activityName(name), activity as unknown]);
  return Object.fromEntries(named) as Registered<Activities>;
}
