// First process of a guest that lab/run boots: builds the guest's root (a tmpfs overlay over
// the host's file system), carries out the job that lab/run wrote for it and powers off.
// Static and without a shell, because fork+exec costs 10-25 ms in user-mode-linux.
//
// Channels to the host: ttyS0 the job's stdout, ttyS1 its stderr, ttyS2 its exit status.
// Whenever the guest ends without a status, lab/run reports 125.

#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr mode_t kDirectoryMode = 0755;

/// What lab/run asks for: NUL-ended "key=value" items.
struct Job {
  std::string cwd{"/"};
  std::vector<std::string> writable{};  ///< directories of the host to mount read-write
  std::vector<std::string> modules{};
  std::vector<std::pair<std::string, std::string>> environment{};
  std::vector<std::string> argv{};
};

/// The message goes to the console, see lab/run --console.
[[noreturn]] void fail(const char* what, const std::string& subject) {
  std::fprintf(stderr, "guest-init: %s %s: %s\n", what, subject.c_str(), std::strerror(errno));
  reboot(RB_POWER_OFF);
  _exit(1);
}

void attach(const char* source, const std::string& directory, const char* type,
            unsigned long flags = 0, const char* options = nullptr) {
  mkdir(directory.c_str(), kDirectoryMode);  // most exist already; mount tells if one does not
  if (mount(source, directory.c_str(), type, flags, options) != 0) fail("mount", directory);
}

void load_overlay_module() {
  utsname kernel{};
  uname(&kernel);
  std::string const file =
      std::string("/usr/lib/uml/modules/") + kernel.release + "/kernel/fs/overlayfs/overlay.ko";
  int const fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 || syscall(SYS_finit_module, fd, "", 0) != 0) fail("load", file);
  close(fd);
}

void make_root() {
  attach("proc", "/proc", "proc");
  attach("scratch", "/tmp", "tmpfs");
  mkdir("/tmp/up", kDirectoryMode);
  mkdir("/tmp/work", kDirectoryMode);
  load_overlay_module();
  attach("overlay", "/tmp/root", "overlay", 0, "lowerdir=/,upperdir=/tmp/up,workdir=/tmp/work");

  mkdir("/tmp/root/.host", kDirectoryMode);
  if (chdir("/tmp/root") != 0 || syscall(SYS_pivot_root, ".", ".host") != 0 || chdir("/") != 0) {
    fail("pivot_root", "/tmp/root");
  }
  // Uncovers the host's /tmp; the overlay keeps hold of the scratch.
  umount2("/.host/tmp", MNT_DETACH);

  attach("proc", "/proc", "proc");
  attach("sysfs", "/sys", "sysfs");
  attach("dev", "/dev", "devtmpfs");
  attach("pts", "/dev/pts", "devpts");
  attach("shm", "/dev/shm", "tmpfs");
  attach("run", "/run", "tmpfs");
  attach("cgroup", "/sys/fs/cgroup", "cgroup2");
  attach("/usr/lib/uml/modules", "/lib/modules", nullptr, MS_BIND);
  if (symlink("/proc/self/fd", "/dev/fd") != 0) fail("symlink", "/dev/fd");
}

void bring_loopback_up() {
  int const fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request{};
  std::strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP;
  if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request) != 0) fail("bring up", "lo");
  close(fd);
}

Job read_job(const char* file) {
  std::ifstream in(file);
  if (!in) fail("open", file);
  Job job;
  for (std::string item; std::getline(in, item, '\0');) {
    auto const equals = item.find('=');
    if (equals == std::string::npos) continue;
    auto const key = item.substr(0, equals);
    auto const value = item.substr(equals + 1);
    if (key == "cwd") job.cwd = value;
    if (key == "rw") job.writable.push_back(value);
    if (key == "mod") job.modules.push_back(value);
    if (key == "arg") job.argv.push_back(value);
    if (key == "env") {
      auto const name_end = value.find('=');
      job.environment.emplace_back(value.substr(0, name_end), value.substr(name_end + 1));
    }
  }
  return job;
}

/// Raw, so that bytes pass as they are: no echo, no CR before LF.
int open_channel(const char* tty) {
  int const fd = open(tty, O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios settings{};
  if (fd < 0 || tcgetattr(fd, &settings) != 0) fail("open", tty);
  cfmakeraw(&settings);
  tcsetattr(fd, TCSANOW, &settings);
  return fd;
}

[[noreturn]] void become(const std::vector<std::string>& argv, const std::string& cwd, int out,
                         int err) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  setsid();
  dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  if (chdir(cwd.c_str()) != 0) std::fprintf(stderr, "%s: %s\n", cwd.c_str(), std::strerror(errno));

  std::vector<char*> arguments;
  arguments.reserve(argv.size() + 1);
  for (auto const& argument : argv)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  int const error = errno;
  std::fprintf(stderr, "%s: %s\n", arguments[0], std::strerror(error));
  _exit(error == ENOENT ? 127 : 126);  // as a shell says it
}

pid_t spawn(const std::vector<std::string>& argv, const std::string& cwd, int out, int err) {
  pid_t const child = fork();
  if (child < 0) fail("fork", argv.at(0));
  if (child == 0) become(argv, cwd, out, err);
  return child;
}

void load_modules(const std::vector<std::string>& modules) {
  if (modules.empty()) return;
  std::vector<std::string> argv{"/sbin/modprobe", "-a"};
  argv.insert(argv.end(), modules.begin(), modules.end());
  waitpid(spawn(argv, "/", STDERR_FILENO, STDERR_FILENO), nullptr, 0);
}

/// False at the end of the data. Nothing is lost: the write is repeated until all is out.
bool copy_some(int from, int to) {
  std::array<char, 16384> buffer;
  ssize_t const got = read(from, buffer.data(), buffer.size());
  for (ssize_t done = 0; done < got;) {
    ssize_t const n = write(to, buffer.data() + done, static_cast<std::size_t>(got - done));
    if (n < 0) break;
    done += n;
  }
  return got > 0;
}

/// The job's exit status as a shell says it, once it has ended. Reaps every orphan.
std::optional<int> reap(pid_t job, int signals) {
  signalfd_siginfo info;
  while (read(signals, &info, sizeof info) > 0) {
  }
  std::optional<int> status;
  int raw = 0;
  for (pid_t child = 0; (child = waitpid(-1, &raw, WNOHANG)) > 0;) {
    if (child != job) continue;
    status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
  }
  return status;
}

struct Pipe {
  int read_end{-1};
  int write_end{-1};
};

Pipe make_pipe() {
  std::array<int, 2> fds{};
  if (pipe2(fds.data(), O_CLOEXEC) != 0) fail("make", "pipe");
  return {fds[0], fds[1]};
}

/// Copies the job's output until it has ended and both pipes are empty. Daemons that it left
/// behind may keep the pipes open, or go on writing; they end with the guest.
int run_job(const Job& job, int signals, int out_tty, int err_tty) {
  Pipe const out = make_pipe();
  Pipe const err = make_pipe();
  pid_t const child = spawn(job.argv, job.cwd, out.write_end, err.write_end);
  close(out.write_end);
  close(err.write_end);

  std::array<pollfd, 3> watched{
      {{out.read_end, POLLIN, 0}, {err.read_end, POLLIN, 0}, {signals, POLLIN, 0}}};
  std::array<int, 2> const ttys{out_tty, err_tty};
  std::optional<int> status;
  int rounds_left = 64;  // after the end; of 16 KiB each, a pipe holds 64 KiB
  for (;;) {
    int const ready = poll(watched.data(), watched.size(), status ? 0 : -1);
    if (status && (ready <= 0 || rounds_left-- == 0)) return *status;
    for (std::size_t i = 0; i < ttys.size(); ++i) {
      if (watched.at(i).revents == 0) continue;
      if (!copy_some(watched.at(i).fd, ttys.at(i))) watched.at(i).fd = -1;
    }
    if (watched[2].revents == 0) continue;
    if (auto const ended = reap(child, signals)) status = ended;
  }
}

int watch_children() {
  sigset_t children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &children, nullptr);
  return signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
}

void carry_out(const Job& job) {
  for (auto const& [name, value] : job.environment)
    setenv(name.c_str(), value.c_str(), 1);
  for (auto const& dir : job.writable)
    attach("hostfs", dir, "hostfs", 0, dir.c_str());
  int const signals = watch_children();
  int const out = open_channel("/dev/ttyS0");
  int const err = open_channel("/dev/ttyS1");
  int const status_channel = open_channel("/dev/ttyS2");
  load_modules(job.modules);

  int const status = run_job(job, signals, out, err);
  tcdrain(out);
  tcdrain(err);
  dprintf(status_channel, "%d\n", status);
  tcdrain(status_channel);
}

}  // namespace

int main() {
  make_root();
  bring_loopback_up();
  carry_out(read_job("/.host/mnt/job"));
  sync();
  reboot(RB_POWER_OFF);
}
