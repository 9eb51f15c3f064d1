const MOST_CHARACTERS = 300

/** A text from outside. Its direction does not affect the texts around it, and a long text is cut. */
export const QuotedText = ({ text }: { readonly text: string }) => (
  <bdi class="said">{text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} …` : text}</bdi>
)
