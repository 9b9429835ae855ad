// Arguments of `monitorctl save` and `monitorctl diff`.

#include <memory>
#include <string>

#include "cli/not_empty.hpp"
#include "monitorctl/arguments.hpp"
#include "monitorctl/command_line_parts.hpp"

namespace lvs::monitorctl {

void add_save(CLI::App& root, Finishes& finishes) {
  auto& app = *root.add_subcommand("save", "The table for ipvsadm -R, with its thresholds");
  auto service = std::make_shared<ServiceArguments>();
  auto numeric = std::make_shared<bool>();
  app.add_option("service", service->name, "One service: tcp:VIP:PORT, fwm:MARK, ...; else all")
      ->type_name("[SERVICE]");
  add_service(app, *service);
  app.add_flag("-n,--numeric", *numeric, "Always so: names are never looked up");
  app.footer(
      "As ipvsadm -Sn, with -x and -y where there are thresholds, which ipvsadm takes\n"
      "and does not save. Status 1: something cannot be restored and was left out;\n"
      "stderr says what.\n"
      "Examples: monitorctl save >/root/ipvs.saved\n"
      "          ipvsadm -C && ipvsadm -R </root/ipvs.saved\n");
  finishes[&app] = [service, numeric]() -> tl::expected<Command, std::string> {
    const auto key = service_from_arguments(*service);
    if (!key) return tl::unexpected(key.error());
    return SaveOptions{*key};
  };
}

void add_diff(CLI::App& root, Finishes& finishes) {
  auto& app = *root.add_subcommand("diff", "A saved table against the kernel's, or two saved ones");
  auto options = std::make_shared<DiffOptions>();
  auto no_weights = std::make_shared<bool>();
  app.add_option("files", options->files, "What save or ipvsadm -Sn printed; - for stdin")
      ->type_name("FILE [FILE]")
      ->check(cli::not_empty)
      ->expected(1, 2)
      ->required();
  app.add_flag("--no-weights", *no_weights, "Leave weights out: they are what monitord changes");
  app.footer(
      "A line for each service and destination: - is gone, + is new, ~ is another one.\n"
      "Exit status, as with diff(1): 0 the same, 1 different, 2 and above trouble\n"
      "(78: a file with mistakes; 3: the kernel's table cannot be read).\n"
      "Examples: monitorctl diff --no-weights /root/ipvs.saved\n"
      "          ssh lvs2 monitorctl save | monitorctl diff --no-weights -\n");
  finishes[&app] = [options, no_weights]() -> tl::expected<Command, std::string> {
    if (options->files.size() == 2 && options->files.front() == "-" && options->files.back() == "-")
      return tl::unexpected(std::string("standard input can be one of the two tables only"));
    options->weights = *no_weights ? Weights::left_out : Weights::compared;
    return *options;
  };
}

}  // namespace lvs::monitorctl
