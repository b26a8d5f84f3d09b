/** Connections that their client closed. */
const closed = new WeakSet<object>();

/** Remembers that a connection is closed: what is sent over it later says so. */
export const markClosed = (connection: object): void => void closed.add(connection);

export const isClosed = (connection: object): boolean => closed.has(connection);
