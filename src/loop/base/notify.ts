/** How a run notifies of its waits for a person, as `prepare` decided. */
export interface Notify {
  text?: true;
  /** Id of the run that sends the notification in place of this one: a batch collects the waits of its items. */
  via?: string;
}
