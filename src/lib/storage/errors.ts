interface ObjectAddress {
  namespace: string;
  /** SHA-256 of the object, in hex. */
  hash: string;
}

/** A reference in a history names data that the storage does not have. */
export class StoredDataMissing extends Error {
  readonly type = 'StoredDataMissing';

  constructor(
    readonly address: ObjectAddress,
    storage: string,
  ) {
    super(
      `${storage} has no object ${address.hash} of namespace "${address.namespace}". Either this process looks into another ` +
        'storage than the one that wrote it (compare REFLECT_STORAGE of worker and client), or a sweep was set to less ' +
        "than the namespace's retention and the longest run. A backup of the storage brings it back.",
    );
    this.name = this.type;
  }
}

/** Stored data is not what was stored: its hash, its form or its length is wrong. */
export class StoredDataCorrupt extends Error {
  readonly type = 'StoredDataCorrupt';

  constructor(
    readonly address: ObjectAddress,
    storage: string,
    problem: string,
  ) {
    super(
      `Object ${address.hash} of namespace "${address.namespace}" in ${storage} is damaged: ${problem}. Nothing of it was ` +
        'used. Restore it from a backup, or delete it: then the next store of the same data writes it anew.',
    );
    this.name = this.type;
  }
}

/** A reference that this version cannot follow, or may not. */
export class StoredClaimInvalid extends Error {
  readonly type = 'StoredClaimInvalid';

  constructor(problem: string) {
    super(`The reference to stored data cannot be followed: ${problem}.`);
    this.name = this.type;
  }
}

/** A storage was configured in a way that cannot work. Never shows the connection string: it holds a password. */
export class InvalidStorageSettings extends Error {
  readonly type = 'InvalidStorageSettings';
  override readonly name = this.type;
}

/** A storage did not hand over what a step or a decision is given in the time that there is. It is tried again. */
export class StorageTooSlow extends Error {
  readonly type = 'StorageTooSlow';

  constructor(storage: string, withinMs: number) {
    super(`The storage "${storage}" did not hand over what is read within ${withinMs} ms.`);
    this.name = this.type;
  }
}
