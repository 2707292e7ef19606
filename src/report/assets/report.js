"use strict";
// Draws every chart of the page. A chart is a canvas whose data-chart names a JSON block: title, axes, series (x, y,
// band, picked point), markers. Log axes are linear axes over log10, with labels in powers of ten: that holds from
// 1e-300 to 1e300.
(() => {
  const dashes = [[], [8, 3], [2, 3], [8, 3, 2, 3], [12, 4], [4, 4], [1, 2], [6, 2, 1, 2]];

  const superscript = (n) => String(n).replace(/./g, (c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"["0123456789".indexOf(c)] || (c === "-" ? "⁻" : c));
  const plain = (v, digits = 4) => {
    const text = Number(v).toPrecision(digits);
    return /e/.test(text) ? Number(text).toExponential() : String(Number(text));
  };
  const power = (e, short) => {
    if (!Number.isInteger(e)) return plain(10 ** e, 2);
    return short ? plain(10 ** e) : "10" + superscript(e);
  };
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const faded = (colour) => colour + "33";

  const forward = (axis, v) => (v === null ? NaN : axis.log ? (v > 0 ? Math.log10(v) : NaN) : v);
  const back = (axis, v) => (axis.log ? 10 ** v : v);

  const datasetsOf = (spec) => {
    const datasets = [];
    const at = (x, y) => ({ x: forward(spec.x, x), y: forward(spec.y, y) });
    let coloured = 0;
    spec.series.forEach((s, group) => {
      const reference = s.style === "dashed";
      const colour = reference ? "--text" : `--series-${(coloured % dashes.length) + 1}`;
      const dash = reference ? [5, 4] : dashes[coloured % dashes.length];
      if (!reference) coloured += 1;
      const points = s.style === "points";
      const dataset = {
        label: s.label, group, main: true, colour, band: s.band,
        data: s.x.map((x, i) => at(x, s.y[i])),
        showLine: !points,
        borderDash: points ? [] : s.emphasised ? [] : dash,
        borderWidth: s.emphasised ? 2.75 : 1.75,
        pointRadius: points ? (s.x.length > 500 ? 2 : 3) : 0,
        pointHitRadius: 8,
        pointHoverRadius: 5,
        order: points ? 3 : s.emphasised ? 1 : 2,
        spanGaps: false,
      };
      if (s.band) {
        const floor = spec.y.lower === undefined ? NaN : spec.y.lower;
        const edge = (sign) => s.x.map((x, i) => {
          if (s.y[i] === null || s.band[i] === null) return { x: NaN, y: NaN };
          const value = s.y[i] + sign * s.band[i];
          return at(x, spec.y.log && !(value > 0) ? floor : value);
        });
        const common = { group, colour, pointRadius: 0, pointHitRadius: 0, borderWidth: 0, showLine: true, isBand: true, order: 4 };
        datasets.push({ ...common, data: edge(-1), fill: false });
        datasets.push({ ...common, data: edge(1), fill: "-1" });
      }
      datasets.push(dataset);
      if (s.picked) {
        datasets.push({
          label: s.label, group, colour, isPick: true, data: [at(s.picked[0], s.picked[1])], showLine: false,
          pointRadius: s.emphasised ? 7 : 5, pointHoverRadius: 8, pointStyle: reference ? "rectRot" : "circle", order: 0,
        });
      }
    });
    return datasets;
  };

  const paint = (chart) => {
    const muted = css("--muted"), grid = css("--grid"), card = css("--card");
    chart.data.datasets.forEach((d) => {
      const colour = css(d.colour);
      d.borderColor = d.isPick ? card : colour;
      d.backgroundColor = d.isBand ? faded(colour) : colour;
      d.pointBackgroundColor = d.isPick || d.showLine ? colour : colour + "aa";
      d.pointBorderColor = d.isPick ? card : colour + "00";
      d.pointBorderWidth = d.isPick ? 1.5 : 0;
    });
    for (const axis of Object.values(chart.options.scales)) {
      axis.grid.color = grid;
      axis.grid.borderColor = grid;
      axis.ticks.color = muted;
      axis.title.color = muted;
    }
    chart.update("none");
  };

  // Vertical lines with labels.
  const markerPlugin = {
    id: "markers",
    beforeDatasetsDraw(chart) {
      const { ctx, chartArea: area, scales } = chart;
      ctx.save();
      ctx.strokeStyle = css("--muted");
      ctx.fillStyle = css("--muted");
      ctx.font = "12px system-ui, sans-serif";
      ctx.textBaseline = "top";
      for (const marker of chart.spec.markers) {
        const x = scales.x.getPixelForValue(forward(chart.spec.x, marker.x));
        if (!(x >= area.left && x <= area.right)) continue;
        ctx.setLineDash([3, 3]);
        ctx.beginPath();
        ctx.moveTo(x, area.top);
        ctx.lineTo(x, area.bottom);
        ctx.stroke();
        const toLeft = x + ctx.measureText(marker.label).width + 8 > area.right;
        ctx.textAlign = toLeft ? "right" : "left";
        ctx.fillText(marker.label, toLeft ? x - 5 : x + 5, area.top + 3);
      }
      ctx.restore();
    },
  };

  // One line per name, the first at the top.
  const namedAxis = (axis) => ({
    type: "linear",
    reverse: true,
    min: -0.6,
    max: axis.names.length - 0.4,
    title: { display: axis.label !== "", text: axis.label },
    grid: {},
    ticks: { autoSkip: false, callback: (v) => axis.names[v] ?? "" },
    afterBuildTicks: (scale) => { scale.ticks = axis.names.map((_, i) => ({ value: i })); },
  });

  const axisOptions = (axis, values) => {
    if (axis.names) return namedAxis(axis);
    const finite = values.filter(Number.isFinite);
    const low = axis.lower === undefined ? Math.min(...finite) : forward(axis, axis.lower);
    const high = axis.upper === undefined ? Math.max(...finite) : forward(axis, axis.upper);
    const options = {
      type: "linear",
      title: { display: true, text: axis.label },
      grid: {},
      ticks: { maxRotation: 0, autoSkipPadding: 12, callback: (v) => (axis.log ? power(Number(v.toFixed(6)), high - low < 4) : plain(v)) },
    };
    if (axis.lower !== undefined) options.min = low;
    if (axis.upper !== undefined) options.max = high;
    if (axis.tight && low < high) Object.assign(options, { min: low, max: high });
    if (axis.log) {
      // As in pictures: 1, 2 and 5 times powers of ten while few of these are in view.
      options.afterBuildTicks = (scale) => {
        const decades = scale.max - scale.min;
        if (decades < 0.7) return;
        const step = Math.ceil(decades / 10);
        const digits = decades < 3 ? [1, 2, 5] : [1];
        scale.ticks = [];
        for (let e = Math.floor(scale.min / step) * step; e <= scale.max; e += step)
          for (const value of digits.map((digit) => e + Math.log10(digit)))
            if (value >= scale.min && value <= scale.max) scale.ticks.push({ value });
      };
    } else if (axis.lower !== undefined || axis.tight) {
      // The ends are where the data end; only round numbers between them get a label.
      options.ticks.includeBounds = false;
    }
    return options;
  };

  const tooltipLabel = (spec) => (item) => {
    const d = item.dataset;
    const x = back(spec.x, item.parsed.x), y = back(spec.y, item.parsed.y);
    if (spec.y.names) return `${spec.y.names[Math.round(y)]}, ${d.label}: ${plain(x)}`;
    const band = d.main && d.band ? d.band[item.dataIndex] : null;
    const error = band === null ? "" : " ± " + plain(band, 2);
    const name = d.isPick ? `${d.label}, least` : d.label;
    return `${name}: ${plain(y)}${error}  at ${spec.x.label} = ${plain(x)}`;
  };

  const swatch = (d) => {
    const mark = d.showLine
      ? `<line x1="1" y1="6" x2="27" y2="6" stroke="currentColor" stroke-width="${d.borderWidth}" stroke-dasharray="${d.borderDash}"/>`
      : '<circle cx="14" cy="6" r="4" fill="currentColor"/>';
    return `<svg width="28" height="12" aria-hidden="true">${mark}</svg>`;
  };

  const button = (text, pressed, onClick) => {
    const made = document.createElement("button");
    made.type = "button";
    made.append(text);
    made.setAttribute("aria-pressed", pressed);
    made.addEventListener("click", () => {
      const on = made.getAttribute("aria-pressed") !== "true";
      made.setAttribute("aria-pressed", on);
      onClick(on);
    });
    return made;
  };

  // Below the plot: a button per series, which names it, and one that shows what the axes cut off.
  const addControls = (chart, spec, plot) => {
    const controls = document.createElement("div");
    controls.className = "controls";
    const datasets = chart.data.datasets;
    for (const d of datasets.filter((each) => each.main)) {
      const toggle = button(d.label, true, (on) => {
        datasets.forEach((other, i) => { if (other.group === d.group) chart.setDatasetVisibility(i, on); });
        chart.update("none");
      });
      const sign = document.createElement("span");
      sign.innerHTML = swatch(d);
      sign.style.color = `var(${d.colour})`;
      toggle.prepend(sign);
      controls.append(toggle);
    }
    if (spec.zoomed) {
      const limits = ({ x, y }) => [x.min, x.max, y.min, y.max];
      const near = limits(chart.options.scales);
      const ends = datasets.filter((d) => d.main).flatMap((d) => d.data.map((p) => p.x)).filter(Number.isFinite);
      const whole = [Math.min(...ends), Math.max(...ends), undefined, undefined];
      controls.append(button("whole range", false, (on) => {
        const { x, y } = chart.options.scales;
        [x.min, x.max, y.min, y.max] = on ? whole : near;
        chart.update("none");
      }));
    }
    if (controls.childElementCount > 0) plot.after(controls);
  };

  const draw = (canvas) => {
    const spec = JSON.parse(document.getElementById(canvas.dataset.chart).textContent);
    const datasets = datasetsOf(spec);
    const all = datasets.flatMap((d) => d.data);
    const chart = new Chart(canvas, {
      type: "scatter",
      data: { datasets },
      plugins: [markerPlugin, { id: "spec", beforeInit: (c) => { c.spec = spec; } }],
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        normalized: true,
        interaction: { mode: "nearest", intersect: false },
        scales: {
          x: axisOptions({ ...spec.x, tight: spec.x.log }, all.map((p) => p.x)),
          y: axisOptions(spec.y, all.map((p) => p.y)),
        },
        plugins: {
          legend: { display: false },
          tooltip: { filter: (item) => !item.dataset.isBand, callbacks: { title: () => "", label: tooltipLabel(spec) } },
        },
      },
    });
    paint(chart);
    addControls(chart, spec, canvas.parentElement);
    canvas.dataset.drawn = "yes";
    return chart;
  };

  const charts = Array.from(document.querySelectorAll("canvas[data-chart]"), draw);
  const repaint = () => charts.forEach(paint);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  window.addEventListener("beforeprint", () => { charts.forEach((c) => c.resize()); repaint(); });
  window.addEventListener("afterprint", () => { charts.forEach((c) => c.resize()); repaint(); });
  document.documentElement.dataset.charts = "done";
})();
