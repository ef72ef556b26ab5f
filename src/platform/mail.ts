// Mail to the person an execution runs as: in builds with the e-mail digest alone.

export interface Mail {
  /** Plain text. Says whether it is on its way: Google may not allow it, or no more today. */
  send(subject: string, text: string): boolean;
  /** What the mail is about, by its name and address. */
  spreadsheet(): { readonly name: string; readonly url: string };
}
