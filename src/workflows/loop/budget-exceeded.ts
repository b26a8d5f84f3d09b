/** A limit of the budget was reached in the middle of a step: what it was to make is not made. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';
}
