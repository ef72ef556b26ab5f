// What happens once, after the last test: the Chromium of the browser tests ends.
export default async function afterAll(): Promise<void> {
  await Reflect.get(globalThis, 'stopChromium')?.();
}
