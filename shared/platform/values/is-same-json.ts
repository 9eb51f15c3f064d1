/** Whether two values are the same JSON, with keys in the same order. */
export const isSameJson = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other)
