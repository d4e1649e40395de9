/** What was made of recent texts: so many at most, and so many UTF-16 units of text. */
export class RecentTexts<Made> {
  private readonly made: Map<string, Made> = new Map();
  private readonly most: number;
  private readonly mostUnits: number;
  private units = 0;

  constructor(most: number, mostUnits: number) {
    this.most = most;
    this.mostUnits = mostUnits;
  }

  /** What was made of a text, now or before. */
  get(text: string, make: (text: string) => Made): Made {
    const known = this.made.get(text);
    if (known !== undefined) return known;
    const made = make(text);
    this.made.set(text, made);
    this.units += text.length;
    for (const oldest of this.made.keys()) {
      if (this.made.size <= this.most && this.units <= this.mostUnits) break;
      this.made.delete(oldest);
      this.units -= oldest.length;
    }
    return made;
  }
}
