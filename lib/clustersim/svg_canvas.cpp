#include "clustersim/svg_canvas.hpp"

#include <fmt/format.h>

namespace lvs::clustersim {
namespace {

std::string stroke_attributes(const Stroke& stroke) {
  auto text =
      fmt::format(R"(fill="none" stroke="{}" stroke-width="{:.2f}")", stroke.colour, stroke.width);
  if (stroke.opacity < 1) text += fmt::format(R"( stroke-opacity="{:.2f}")", stroke.opacity);
  if (!stroke.dashes.empty()) text += fmt::format(R"( stroke-dasharray="{}")", stroke.dashes);
  return text;
}

}  // namespace

std::string xml_from_text(std::string_view text) {
  std::string xml;
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (c == '&') {
      xml += "&amp;";
    } else if (c == '<') {
      xml += "&lt;";
    } else if (c == '>') {
      xml += "&gt;";
    } else if (c == '"') {
      xml += "&quot;";
    } else {
      xml += control ? ' ' : c;
    }
  }
  return xml;
}

double text_width(std::string_view text, double size) {
  constexpr double mean_advance = 0.58;  // of a sans-serif letter or digit, in units of its size
  std::size_t letters = 0;
  for (const char c : text) {
    const bool continuation = (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
    if (!continuation) ++letters;
  }
  return mean_advance * size * static_cast<double>(letters);
}

void SvgCanvas::line(Point from, Point to, const Stroke& stroke) {
  body_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n",
                       from.x, from.y, to.x, to.y, stroke_attributes(stroke));
}

void SvgCanvas::path(const std::vector<Point>& points, const Stroke& stroke) {
  if (points.size() < 2) return;
  body_ += "<polyline points=\"";
  for (const Point& point : points)
    body_ += fmt::format("{:.1f},{:.1f} ", point.x, point.y);
  body_.back() = '"';
  body_ += fmt::format(" stroke-linejoin=\"round\" {}/>\n", stroke_attributes(stroke));
}

void SvgCanvas::rectangle(Point corner, double width, double height, std::string_view fill) {
  body_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
      corner.x, corner.y, width, height, fill);
}

void SvgCanvas::circle(Point centre, double radius, std::string_view fill) {
  body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\"/>\n", centre.x,
                       centre.y, radius, fill);
}

void SvgCanvas::text(Point at, std::string_view text, const Font& font) {
  body_ += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" fill=\"{}\" text-anchor=\"{}\"{}>{}"
      "</text>\n",
      at.x, at.y, font.size, font.colour, font.anchor, font.bold ? " font-weight=\"bold\"" : "",
      xml_from_text(text));
}

std::string SvgCanvas::document(double width, double height, std::string_view title) const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', "
      "sans-serif\">\n"
      "<title>{2}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{3}</svg>\n",
      width, height, xml_from_text(title), body_);
}

}  // namespace lvs::clustersim
