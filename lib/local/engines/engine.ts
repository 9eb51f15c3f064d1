export interface Engine {
  readonly url: string
  stop(): Promise<void>
}
