const MOST_CHARACTERS = 300

interface QuotedTextProps {
  readonly text: string
  /** Characters after which the text is cut. */
  readonly most?: number
}

/** A text from outside. Its direction does not affect the texts around it, and a long text is cut. */
export const QuotedText = ({ text, most = MOST_CHARACTERS }: QuotedTextProps) => (
  <bdi class="said">{text.length > most ? `${text.slice(0, most)} …` : text}</bdi>
)
