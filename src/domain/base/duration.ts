/** An `ms` string such as `2m`, or milliseconds. */
export type Duration = string | number;
