// Pages that are opened from a folder may not start workers, and the search is one. So there a
// hidden frame takes the worker's place. Zensical would load such a script from a CDN instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = this.onmessageerror = this.onerror = null;
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.documentElement.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => setTimeout(() => this.tell("message", structuredClone({ data })));
      inside.importScripts = () => {};
      this.ready = new Promise((resolve) => {
        const script = inside.document.createElement("script");
        script.onload = resolve;
        script.onerror = () => this.tell("error", {});
        script.src = new URL(url, location.href);
        inside.document.head.append(script);
      });
    }
    tell(kind, content) {
      const event = new MessageEvent(kind, content);
      this[`on${kind}`]?.(event);
      this.dispatchEvent(event);
    }
    postMessage(data) {
      const inside = this.frame.contentWindow;
      const copy = structuredClone({ data });
      this.ready.then(() => inside.dispatchEvent(new inside.MessageEvent("message", copy)));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
