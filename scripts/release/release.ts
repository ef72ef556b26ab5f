// What a release holds: its builds as archives, their checksums, and what CHANGELOG.md says of the version.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface ReleaseRequest {
  /** "v0.2.0". */
  readonly tag: string;
  /** Where package.json and CHANGELOG.md are. */
  readonly project: string;
  /** Is emptied first. */
  readonly outDir: string;
  /** What can be downloaded: by name, what builds it into a folder. */
  readonly builds: Readonly<Record<string, (outDir: string) => unknown>>;
}

export interface ReleaseResult {
  readonly ok: boolean;
  /** A plain sentence for whoever runs the command. */
  readonly message: string;
}

const refused = (why: string): ReleaseResult => ({ ok: false, message: `Not released. ${why}` });

function versionOf(project: string): unknown {
  const parsed: unknown = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  return parsed instanceof Object ? Reflect.get(parsed, 'version') : undefined;
}

/** The section of a version: its heading's rest, "2026-12-01", and its lines. */
function sectionOf(changelog: string, version: string) {
  const sections = changelog.split(/^## /m).slice(1);
  const own = sections.find((text) => text.split(/\s/, 1)[0] === version);
  if (own === undefined) return null;
  const [heading = '', ...lines] = own.split('\n');
  return { when: heading.slice(version.length), notes: lines.join('\n').trim() };
}

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

export async function makeRelease(request: ReleaseRequest): Promise<ReleaseResult> {
  const { tag, project, outDir, builds } = request;
  const version = tag.replace(/^v/, '');
  if (!/^v\d+\.\d+\.\d+$/.test(tag)) return refused(`"${tag}" is no tag such as v0.2.0.`);
  if (versionOf(project) !== version)
    return refused(`package.json has another version than ${tag}.`);
  const section = sectionOf(readFileSync(join(project, 'CHANGELOG.md'), 'utf8'), version);
  if (section === null) return refused(`CHANGELOG.md says nothing of ${version}.`);
  if (!/\d{4}-\d\d-\d\d/.test(section.when))
    return refused(`CHANGELOG.md gives no date to ${version}.`);
  rmSync(outDir, { recursive: true, force: true });
  const sums: string[] = [];
  for (const [name, build] of Object.entries(builds)) {
    const folder = join(outDir, name);
    mkdirSync(folder, { recursive: true });
    await build(folder);
    const archive = `product-analysis-${version}-${name}.tar.gz`;
    execFileSync('tar', ['-czf', join(outDir, archive), '-C', folder, ...readdirSync(folder)]);
    sums.push(`${sha256(join(outDir, archive))}  ${archive}`);
  }
  writeFileSync(join(outDir, 'checksums.txt'), `${sums.join('\n')}\n`);
  writeFileSync(join(outDir, 'notes.md'), `${section.notes}\n`);
  return { ok: true, message: `${tag} is ready in ${outDir}: ${Object.keys(builds).join(', ')}.` };
}
