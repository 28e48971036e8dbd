/// <reference lib="dom" />
import type { Page } from "puppeteer-core";

/** How smooth a page was over a time. */
export interface Frames {
  readonly perSecond: number;
  /** The longest time between two frames, in milliseconds. */
  readonly longest: number;
}

/** Counts the frames of a page for some milliseconds while nothing is done to it. */
export async function framesOf(page: Page, ms: number): Promise<Frames> {
  return await page.evaluate(countFrames, ms, false);
}

/** Counts frames while the longest list of the page is scrolled through at one speed, from its top to its end. */
export async function framesWhileScrolling(page: Page, ms: number): Promise<Frames> {
  return await page.evaluate(countFrames, ms, true);
}

/** Runs in the page. */
function countFrames(ms: number, scroll: boolean): Promise<Frames> {
  const boxes = [...document.querySelectorAll("main *")].filter((one) =>
    one.scrollHeight > one.clientHeight * 3
  );
  const box = boxes.toSorted((a, b) => b.scrollHeight - a.scrollHeight)[0];
  if (scroll && !box) throw new Error("nothing to scroll is here");
  return new Promise((done) => {
    const began = performance.now();
    let last = began, longest = 0, frames = 0;
    const frame = (now: number) => {
      longest = Math.max(longest, now - last);
      last = now;
      frames++;
      if (scroll && box) {
        box.scrollTop = (box.scrollHeight - box.clientHeight) * Math.min(1, (now - began) / ms);
      }
      if (now - began < ms) requestAnimationFrame(frame);
      else done({ perSecond: frames * 1000 / (now - began), longest });
    };
    requestAnimationFrame(frame);
  });
}
